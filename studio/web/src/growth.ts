// What was never executed, marked in the editor; and how a model grows with a constant.
import type { Json } from "./api";
import { answered } from "./checks";
import { count, fill, h, say, trusted } from "./dom";
import { goTo, mark, text } from "./editor";
import { command, on, perform, state } from "./state";

export function growthPanel(): HTMLElement {
  const covered = h("div", { "aria-live": "polite" });
  const grown = h("div", { "aria-live": "polite" });
  const form = h("div", { class: "row wrap" });

  // ------------------------------------------------------------ coverage

  const cover = async () => {
    if (!state.model) return;
    fill(covered, h("p", { class: "soft" }, "Counting…"));
    const job = await answered({ kind: "coverage" });
    const coverage: Json | undefined = job?.answer?.record?.coverage;
    if (!coverage) {
      fill(covered, h("p", { class: "notice" }, job?.message || "nothing was counted"));
      return;
    }
    const never: Json[] = coverage.definitions.flatMap((one: Json) => one.places).filter((place: Json) => place.count === 0);
    const mine = never.filter((place) => String(place.file).endsWith(state.model!.name.split("/").pop()!));
    mark(
      "coverage",
      mine.map((place) => ({ line: place.line, column: place.column, endLine: place.end_line, endColumn: place.end_column, title: `never executed: ${place.kind}` })),
    );
    fill(
      covered,
      h(
        "p",
        { class: "lead" },
        never.length ? `${count(never.length)} ${never.length === 1 ? "place is" : "places are"} never executed.` : "Everything is executed.",
        h("span", { class: "soft" }, ` ${coverage.processes.join(", ")}: ${count(coverage.states)} states${coverage.complete ? "" : `, of more (${coverage.reason})`}`),
      ),
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "coverage" },
        h(
          "table",
          { class: "plain-table" },
          h("thead", null, h("tr", null, ["definition", "executed", "of"].map((one) => h("th", { scope: "col" }, one)))),
          h(
            "tbody",
            null,
            coverage.definitions
              .filter((one: Json) => one.total > 0)
              .map((one: Json) =>
                h(
                  "tr",
                  null,
                  h("th", { scope: "row" }, h("button", { class: "link code", onclick: () => goTo(one.line, one.column) }, one.name)),
                  h("td", { class: one.covered < one.total ? "unsure" : "" }, count(one.covered)),
                  h("td", null, count(one.total)),
                ),
              ),
          ),
        ),
      ),
      never.length
        ? h(
            "ul",
            { class: "plain" },
            never.slice(0, 60).map((place) => h("li", null, h("button", { class: "link", onclick: () => goTo(place.line, place.column) }, `line ${place.line}: ${place.kind}`))),
          )
        : null,
    );
  };
  const uncover = () => {
    mark("coverage", []);
    fill(covered);
  };

  // ------------------------------------------------------------ sweeps

  const constant = h("input", { class: "code short", "aria-label": "constant", list: "constants" });
  const values = h("input", { class: "code short", "aria-label": "values", value: "2..5" });
  const question = h("select", { "aria-label": "assertion" });
  const listed = h("datalist", { id: "constants" });
  const sweep = async () => {
    if (!state.model) return;
    const name = constant.value.trim();
    if (!name) return say("which constant?", "wrong");
    fill(grown, h("p", { class: "soft" }, "Checking with each value…"));
    const chosen = state.questions.questions[Number(question.value)];
    const job = await answered({ kind: "check", question: chosen?.number ?? null, text: chosen?.text, sweep: { constant: name, values: values.value } });
    const answer: Json | undefined = job?.answer;
    if (!answer?.rows) {
      fill(grown, job?.message ? h("p", { class: "notice" }, job.message) : null);
      return;
    }
    const chart = h("div", { class: "chart", tabindex: 0, role: "region", "aria-label": "growth" });
    if (answer.svg) trusted(answer.svg, chart);
    fill(
      grown,
      answer.svg ? chart : null,
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "answers" },
        h(
          "table",
          { class: "plain-table" },
          h("thead", null, h("tr", null, [answer.constant, "verdict", "fairness", "states", "transitions", "seconds"].map((one) => h("th", { scope: "col" }, one)))),
          h(
            "tbody",
            null,
            answer.rows.map((row: Json) =>
              row.problem
                ? h("tr", null, h("th", { scope: "row" }, row.value), h("td", { colspan: 5 }, row.problem))
                : h("tr", null, h("th", { scope: "row" }, row.value), h("td", { class: row.verdict === "holds" ? "good" : row.verdict === "violated" ? "bad" : "unsure" }, row.verdict + (row.reason ? ` (${row.reason})` : "")), h("td", null, row.fairness), h("td", null, count(row.states)), h("td", null, count(row.transitions)), h("td", null, row.seconds.toFixed(3))),
            ),
          ),
        ),
      ),
    );
  };

  const show = () => {
    const names = [...text().matchAll(/^\s*(?:#define\s+(\w+)\s+-?\d+|const\s+(\w+)\s*=)/gm)].map((one) => one[1] ?? one[2]);
    fill(listed, names.map((name) => h("option", { value: name })));
    if (!constant.value && names[0]) constant.value = names[0];
    const before = question.value;
    fill(
      question,
      h("option", { value: "" }, "all assertions"),
      state.questions.questions.map((one, index) => h("option", { value: String(index) }, one.text)),
    );
    question.value = before;
    if (question.selectedIndex < 0) question.selectedIndex = 0;
  };
  fill(form, h("label", { class: "row" }, h("span", { class: "soft" }, "constant"), constant), listed, h("label", { class: "row" }, h("span", { class: "soft" }, "values"), values), question, h("button", { class: "primary", onclick: () => void sweep() }, "Sweep"));
  on(["questions"], show);
  on(["model"], () => {
    if (form.dataset.model === state.model?.name) return;
    form.dataset.model = state.model?.name ?? "";
    constant.value = "";
    uncover();
    fill(grown);
  });
  command("coverage", "Mark what is never executed", () => {
    perform("tab-growth");
    return cover();
  });
  command("no-coverage", "Remove the marks of coverage", uncover);
  return h(
    "div",
    { class: "panel growth" },
    h(
      "section",
      { "aria-label": "coverage" },
      h("h2", null, "Coverage"),
      h("p", { class: "soft" }, "Explores what the model asks about, and marks in the editor what is never executed."),
      h("div", { class: "row wrap" }, h("button", { class: "primary", onclick: () => void cover() }, "Count what is executed"), h("button", { onclick: uncover }, "Remove the marks")),
      covered,
    ),
    h(
      "section",
      { "aria-label": "growth" },
      h("h2", null, "Growth"),
      h("p", { class: "soft" }, "Checks the model for several values of a constant, and draws how states and time grow."),
      form,
      grown,
    ),
  );
}
