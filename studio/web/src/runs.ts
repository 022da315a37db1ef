// Runs: one with everything there is to say about it, or two side by side with their differences.
import { type Json, type Verdict, api } from "./api";
import { count, fill, h, say, trusted } from "./dom";
import { goTo, mark, type Place } from "./editor";
import { adviceBox, advise, choose, nameOf, sign } from "./checks";
import { command, on, perform, state, verdicts } from "./state";

let shown = "";

/** Markup of runs becomes steppable: the script looks for what is new each time that it is loaded. */
export function enliven(): void {
  const script = document.createElement("script");
  script.src = "/assets/run.js";
  script.onload = () => script.remove();
  document.head.append(script);
}

function label(verdict: Verdict): string {
  return `${sign(verdict.result.verdict)} ${nameOf(verdict)}`;
}

export function runsPanel(): HTMLElement {
  const body = h("div", { class: "run-body" });
  const head = h("div", { class: "row wrap panel-tools" });
  let other: Verdict | null = null;

  const options = (chosen: Verdict | null, none: string) => {
    const found = verdicts().filter((one) => one.hasRun);
    return [
      h("option", { value: "" }, none),
      ...found.map((one, index) => {
        const element = h("option", { value: String(index) }, label(one));
        element.selected = chosen !== null && one.basis === chosen.basis && nameOf(one) === nameOf(chosen);
        return element;
      }),
    ];
  };
  const pick = (event: Event) => {
    const value = (event.target as HTMLSelectElement).value;
    return value === "" ? null : verdicts().filter((one) => one.hasRun)[Number(value)];
  };

  const show = async () => {
    const found = verdicts().filter((one) => one.hasRun);
    fill(
      head,
      found.length
        ? [
            h("label", { class: "row grow" }, h("span", { class: "soft" }, "run"), h("select", { class: "grow", onchange: (event: Event) => choose(pick(event)) }, options(state.chosen, "choose a run"))),
            found.length > 1
              ? h(
                  "label",
                  { class: "row" },
                  h("span", { class: "soft" }, "beside"),
                  h("select", { onchange: (event: Event) => ((other = pick(event)), (shown = ""), void show()) }, options(other, "no other")),
                )
              : null,
            state.chosen?.hasRun ? h("button", { onclick: () => perform("simulate-run") }, "Step through it") : null,
            state.chosen?.hasRun ? h("button", { onclick: () => perform("graph-run") }, "In the graph") : null,
          ]
        : null,
    );
    const question = state.questions.questions.find((each) => each.verdicts.some((known) => known.basis === state.chosen?.basis));
    const key = JSON.stringify([question?.advice?.title, state.model?.name, state.chosen && nameOf(state.chosen), state.chosen?.basis, other && nameOf(other)]);
    if (key === shown && body.childElementCount) return;
    shown = key;
    mark("run", []);
    if (!state.chosen?.hasRun) {
      fill(
        body,
        h(
          "div",
          { class: "empty small" },
          h("h2", null, found.length ? "Choose a run" : "No run yet"),
          h("p", null, found.length ? "Verdicts with a counterexample or a witness are in the list above." : "Check an assertion: when it is violated, the run that shows it appears here."),
          found.length ? null : h("p", null, h("button", { class: "primary", onclick: () => perform("check-all") }, "Check all")),
        ),
      );
      return;
    }
    try {
      if (other) await compare(body, state.chosen, other);
      else await one(body, state.chosen);
    } catch (error) {
      fill(body, h("p", { class: "notice" }, (error as Error).message));
    }
  };

  body.addEventListener("fairlead-step", (event) => {
    const detail = (event as CustomEvent).detail;
    mark("run", (detail.places as number[][]).filter((part) => isHere(body, part[0])).map(([, line, start, end]): Place => ({ line, column: start + 1, endColumn: end + 1 })));
  });
  body.addEventListener("click", (event) => {
    const line = /^line (\d+) of the model$/.exec((event.target as Element).closest("a")?.getAttribute("title") ?? "");
    if (!line) return;
    event.preventDefault();
    goTo(Number(line[1]));
    perform("show-editor");
  });
  on(["chosen", "questions"], () => void show());
  on(["model"], () => {
    other = null;
    void show();
  });
  command("show-run", "Show the run of the verdict", () => perform("tab-runs"));
  command("compare-runs", "Two runs side by side", () => {
    const found = verdicts().filter((one) => one.hasRun);
    if (found.length < 2) return say("there are not two runs yet");
    if (!state.chosen?.hasRun) choose(found[0]);
    other = found.find((one) => nameOf(one) !== nameOf(state.chosen!)) ?? null;
    shown = "";
    perform("tab-runs");
    void show();
  });
  void show();
  return h("div", { class: "panel" }, head, body);
}

function isHere(body: HTMLElement, file: number): boolean {
  const files: string[] = JSON.parse(body.dataset.files ?? "[]");
  const name = files[file];
  return name === undefined || (state.model !== null && name.endsWith(state.model.name.split("/").pop()!));
}

async function one(body: HTMLElement, verdict: Verdict): Promise<void> {
  const found = await api.run(verdict);
  body.dataset.files = JSON.stringify(found.files ?? []);
  const question = state.questions.questions.find((each) => each.verdicts.some((known) => known.basis === verdict.basis));
  const box = h("div", { class: "fairlead" });
  const side = h("div", { class: "run-advice" });
  fill(body, question?.hasFormula && verdict.result.verdict === "violated" ? side : null, box);
  trusted(found.html ?? "", box);
  box.querySelectorAll<HTMLElement>(".fl-scroll, .fl-graph, .fl-listing, .fl-panel").forEach((part) => (part.tabIndex = 0));
  if (question) {
    fill(
      side,
      question.advice
        ? adviceBox(question)
        : h("div", { class: "row" }, h("span", { class: "soft grow" }, "Is this run one that a fair scheduler excludes?"), h("button", { onclick: () => void advise(question) }, "Advise")),
    );
  }
  enliven();
}

// ---------------------------------------------------------------- two runs

interface Step {
  number: number;
  event: string;
  processes: string;
  in_loop: boolean;
  places: Json[];
}

/** The longest common subsequence of two runs, as pairs of places. */
export function common(one: string[], other: string[]): [number, number][] {
  const lengths = Array.from({ length: one.length + 1 }, () => new Uint32Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      lengths[i][j] = one[i] === other[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    if (one[i] === other[j]) pairs.push([i++, j++]);
    else if (lengths[i + 1][j] >= lengths[i][j + 1]) i++;
    else j++;
  }
  return pairs;
}

async function compare(body: HTMLElement, first: Verdict, second: Verdict): Promise<void> {
  const [one, other] = await Promise.all([api.run(first), api.run(second)]);
  const left: Step[] = (one.steps ?? []).slice(0, 400);
  const right: Step[] = (other.steps ?? []).slice(0, 400);
  const key = (step: Step) => `${step.event} ${step.processes}`;
  const pairs = common(left.map(key), right.map(key));
  const rows: [Step | null, Step | null][] = [];
  let [i, j] = [0, 0];
  for (const [a, b] of [...pairs, [left.length, right.length] as [number, number]]) {
    while (i < a || j < b) rows.push([i < a ? left[i++] : null, j < b ? right[j++] : null]);
    if (i < left.length && j < right.length) rows.push([left[i++], right[j++]]);
  }
  const cell = (step: Step | null, same: boolean) =>
    h(
      "td",
      { class: step === null ? "absent" : `${same ? "" : "differs"}${step.in_loop ? " in-loop" : ""}` },
      step === null
        ? null
        : h(
            "button",
            {
              class: "link",
              onclick: () =>
                mark("run", step.places.map((place) => ({ line: place.line, column: place.column, endLine: place.end_line, endColumn: place.end_column }))),
            },
            h("span", { class: "soft number" }, step.number),
            ` ${step.event} `,
            h("span", { class: "soft" }, step.processes),
          ),
    );
  const same = pairs.length;
  fill(
    body,
    h("p", { class: "lead" }, `${count(same)} of ${count(Math.max(left.length, right.length))} steps agree; differences are marked. Steps of the loop have a bar.`),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "region", "aria-label": "two runs side by side" },
      h(
        "table",
        { class: "compare" },
        h("thead", null, h("tr", null, h("th", { scope: "col" }, label(first)), h("th", { scope: "col" }, label(second)))),
        h(
          "tbody",
          null,
          rows.map(([a, b]) => {
            const agree = a !== null && b !== null && key(a) === key(b);
            return h("tr", null, cell(a, agree), cell(b, agree));
          }),
        ),
      ),
    ),
  );
}
