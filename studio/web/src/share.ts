// What is found, for others: one file that opens without a server, or a link for this machine.
import { type Verdict, api } from "./api";
import { nameOf, sign } from "./checks";
import { dialog, h, say } from "./dom";
import { settle } from "./editor";
import { download } from "./simulator";
import { command, state, verdicts } from "./state";

async function share(): Promise<void> {
  const model = state.model;
  if (!model) return say("open a model first");
  const found = verdicts();
  const chosen = new Set<Verdict>(found.filter((one) => one === state.chosen || state.chosen === null || nameOf(one) === nameOf(state.chosen)));
  const note = h("input", { class: "wide", "aria-label": "note", placeholder: "a sentence about it, if you like" });
  const boxes = found.map((one) =>
    h(
      "li",
      null,
      h(
        "label",
        { class: "row" },
        h("input", {
          type: "checkbox",
          checked: chosen.has(one),
          onchange: (event: Event) => ((event.target as HTMLInputElement).checked ? chosen.add(one) : chosen.delete(one)),
        }),
        h("span", null, `${sign(one.result.verdict)} ${nameOf(one)}`, one.hasRun ? h("span", { class: "soft" }, " with its run") : null),
      ),
    ),
  );
  const answer = await dialog(
    "Share what was found",
    h(
      "div",
      null,
      found.length ? [h("p", null, "These verdicts, their runs and the model become one page that opens without the studio."), h("ul", { class: "plain share-list" }, boxes), note] : h("p", null, "There are no verdicts yet: check the model first."),
      h("p", { class: "soft" }, "A link opens the model at this place, in this browser, while the studio runs."),
    ),
    [
      ...(found.length ? ([["file", "Download the page"]] as [string, string][]) : []),
      ["link", "Copy a link"],
      ["", "Close"],
    ],
  );
  if (answer === "file") {
    await settle();
    const listed = found.filter((one) => chosen.has(one)).map((one) => ({ basis: one.basis, fairness: one.result.fairness, assertion: one.result.assertion, fair: one.result.fair }));
    if (!listed.length) return say("choose a verdict", "wrong");
    try {
      const page = await api.share({ name: model.name, verdicts: listed, note: note.value });
      download(`${model.name.split("/").pop()!.replace(/\.\w+$/, "")}.html`, page);
    } catch (error) {
      say((error as Error).message, "wrong");
    }
  } else if (answer === "link") {
    const address = link();
    try {
      await navigator.clipboard.writeText(address);
      say("the link is in the clipboard");
    } catch {
      await dialog("The link", h("input", { readonly: true, value: address, class: "wide code", "aria-label": "link" }), [["", "Close"]]);
    }
  }
}

/** The address of what is shown now; the token is in a cookie, not in it. */
export function link(): string {
  const address = new URL(location.href);
  address.search = "";
  if (state.model) address.searchParams.set("model", state.model.name);
  if (state.chosen) {
    address.searchParams.set("assertion", state.chosen.result.assertion);
    address.searchParams.set("fairness", state.chosen.result.fairness);
  }
  return address.href;
}

export function offerSharing(): void {
  command("share", "Share what was found", share);
}
