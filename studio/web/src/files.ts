// The list of models, the examples, and the tutorial.
import { type Json, api } from "./api";
import { dialog, fill, h, harmless, icon, say } from "./dom";
import { open, openText } from "./editor";
import { changed, command, on, perform, state } from "./state";

let learn: Json | null = null;

async function lessons(): Promise<Json> {
  learn ??= await api.learn();
  return learn;
}

function fileButton(name: string, draft: boolean, depth: number): HTMLElement {
  const isHere = state.model?.name === name;
  return h(
    "li",
    null,
    h(
      "button",
      {
        class: `file${isHere ? " here" : ""}${depth ? " inside" : ""}`,
        "aria-current": isHere ? "page" : false,
        title: name,
        onclick: () => void open(name).then((is) => is && perform("show-editor")),
      },
      h("span", { class: `suffix ${name.split(".").pop()}` }, name.split(".").pop()),
      h("span", { class: "grow" }, name.split("/").pop()),
      draft ? h("span", { class: "dot", title: "not saved", "aria-label": "not saved" }) : null,
    ),
  );
}

export function filesPanel(): HTMLElement {
  const list = h("div", { class: "file-list" });
  const examples = h("details", { class: "examples" }, h("summary", null, "Examples"));
  const search = h("input", { type: "search", placeholder: "find a model", "aria-label": "find a model" });
  let isFilled = false;

  const show = () => {
    const wanted = search.value.trim().toLowerCase();
    const folders = new Map<string, { name: string; draft: boolean }[]>();
    for (const file of state.files) {
      if (wanted && !file.name.toLowerCase().includes(wanted)) continue;
      const at = file.name.lastIndexOf("/");
      const folder = at < 0 ? "" : file.name.slice(0, at);
      folders.set(folder, [...(folders.get(folder) ?? []), file]);
    }
    fill(
      list,
      state.files.length === 0 ? h("p", { class: "soft pad" }, "This folder has no models yet. Begin with an example, or with the tutorial.") : null,
      [...folders].map(([folder, files]) => {
        const items = h("ul", { class: "plain" }, files.map((one) => fileButton(one.name, one.draft, folder ? 1 : 0)));
        if (!folder) return items;
        const isOpen = wanted !== "" || folders.size < 4 || files.some((one) => one.name === state.model?.name);
        return h("details", { open: isOpen }, h("summary", null, folder), items);
      }),
    );
  };
  search.addEventListener("input", show);
  examples.addEventListener("toggle", () => {
    if (isFilled || !examples.open) return;
    isFilled = true;
    lessons()
      .then((found) =>
        examples.append(
          ...found.examples.map((group: Json) =>
            h(
              "details",
              null,
              h("summary", null, group.title),
              h(
                "ul",
                { class: "plain" },
                group.models.map((one: Json) =>
                  h(
                    "li",
                    null,
                    h(
                      "button",
                      { class: "file inside", title: one.about, onclick: () => void openText(one.name.split("/").pop(), one.text).then(() => perform("show-editor")) },
                      h("span", { class: `suffix ${one.name.split(".").pop()}` }, one.name.split(".").pop()),
                      h("span", { class: "grow" }, one.name.split("/").pop()),
                    ),
                  ),
                ),
              ),
            ),
          ),
        ),
      )
      .catch((error) => {
        isFilled = false;
        say((error as Error).message, "wrong");
      });
  });
  on(["files", "model"], show);
  show();
  command("new", "New model", create);
  command("examples", "Open an example", async () => {
    perform("tab-files");
    examples.open = true;
    examples.querySelector("summary")?.focus();
  });
  return h("div", { class: "side-panel" }, h("div", { class: "row side-tools" }, search, h("button", { title: "new model", "aria-label": "new model", onclick: () => void create() }, icon("plus"))), list, examples);
}

const EMPTY: Record<string, string> = {
  csp: "var x = 0;\n\nP() = [x < 3] up{x++;} -> P() [] [x > 0] down{x--;} -> P();\n\n#assert P() deadlockfree;\n#assert P() |= []<> up;\n",
  lts: "SWITCH = (on -> off -> SWITCH).\n\n||SYSTEM = SWITCH.\n\nprogress TURNS = {on}\n",
};

async function create(): Promise<void> {
  const name = h("input", { value: "model.csp", "aria-label": "name", class: "code wide" });
  const chosen = await dialog(
    "New model",
    h("div", null, h("label", null, "Name ", name), h("p", { class: "soft" }, "Names of CSP# models end with .csp, those of FSP with .lts.")),
    [
      ["make", "Make it"],
      ["", "Cancel"],
    ],
  );
  if (chosen !== "make" || !name.value.trim()) return;
  const wanted = name.value.trim();
  const full = /\.(csp|lts)$/.test(wanted) ? wanted : `${wanted}.csp`;
  await openText(full, EMPTY[full.split(".").pop()!] ?? "");
  perform("show-editor");
}

// ---------------------------------------------------------------- the tutorial

export function learnPanel(): HTMLElement {
  const body = h("div", { class: "lesson prose" });
  const head = h("div", { class: "row side-tools" });
  let tutorial = 0;
  let step = 0;

  const show = async () => {
    let found: Json;
    try {
      found = await lessons();
    } catch (error) {
      fill(body, h("p", { class: "notice" }, (error as Error).message));
      return;
    }
    const chosen = found.tutorials[tutorial];
    const one = chosen.steps[step];
    localStorage.setItem("fairlead lesson", JSON.stringify([tutorial, step]));
    fill(
      head,
      h(
        "select",
        {
          class: "grow",
          "aria-label": "tutorial",
          onchange: (event: Event) => {
            tutorial = (event.target as HTMLSelectElement).selectedIndex;
            step = 0;
            void show();
          },
        },
        found.tutorials.map((each: Json, index: number) => {
          const element = h("option", null, each.title);
          element.selected = index === tutorial;
          return element;
        }),
      ),
    );
    const content = harmless(one.html);
    const box = h("div", null, content);
    box.querySelectorAll<HTMLElement>("[data-model]").forEach((place) => {
      const model = one.models[Number(place.dataset.model)];
      place.append(h("button", { class: "primary", onclick: () => void openText(model.name, model.text).then(() => perform("show-editor")) }, `Open ${model.name}`));
    });
    const move = (by: number) => {
      step += by;
      void show().then(() => body.querySelector<HTMLElement>("h2")?.focus());
    };
    fill(
      body,
      h("p", { class: "soft" }, `${step + 1} of ${chosen.steps.length}`),
      h("h2", { tabindex: -1 }, one.title),
      box,
      h(
        "div",
        { class: "row lesson-steps" },
        h("button", { disabled: step === 0, onclick: () => move(-1) }, "◀ Before"),
        h("span", { class: "grow" }),
        h("button", { class: "primary", disabled: step === chosen.steps.length - 1, onclick: () => move(1) }, "Next ▶"),
      ),
    );
    body.scrollTop = 0;
  };
  try {
    [tutorial, step] = JSON.parse(localStorage.getItem("fairlead lesson") ?? "[0,0]");
    if (!Number.isInteger(tutorial) || !Number.isInteger(step)) [tutorial, step] = [0, 0];
  } catch {
    [tutorial, step] = [0, 0];
  }
  lessons()
    .then((found) => {
      tutorial = Math.min(Math.max(tutorial, 0), found.tutorials.length - 1);
      step = Math.min(Math.max(step, 0), found.tutorials[tutorial].steps.length - 1);
      return show();
    })
    .catch(() => show());
  command("learn", "Open the tutorial", () => {
    perform("tab-learn");
    changed("model");
  });
  return h("div", { class: "side-panel" }, head, body);
}
