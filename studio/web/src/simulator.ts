// The simulator: the state, what can happen, what cannot and why, and the tree of what was tried.
import { type Json, api } from "./api";
import { counted, dialog, fill, h, icon, say } from "./dom";
import { append, mark, settle, uri } from "./editor";
import { Explored } from "./explored";
import { request } from "./lsp";
import { changed, command, on, perform, state } from "./state";

interface Choice {
  id: number;
  parent: Choice | null;
  event: string;
  /** the command that leads here from the parent */
  command: string;
  depth: number;
  children: Choice[];
}

export const explored = new Explored();
let simulation: string | null = null;
let now: Json | null = null;
let root: Choice = { id: 0, parent: null, event: "start", command: "", depth: 0, children: [] };
let here: Choice = root;
let forward: Choice[] = [];
let numbers = 1;
let process = "";
let watches: string[] = [];
let problem = "";
let isBusy = false;
let show: () => void = () => undefined;
let processes: { name: string }[] = [];

function way(choice: Choice): Choice[] {
  const found: Choice[] = [];
  for (let one: Choice | null = choice; one?.parent; one = one.parent) found.unshift(one);
  return found;
}

async function begin(replay: Json | null = null): Promise<void> {
  if (!state.model) return;
  await settle();
  if (simulation) void api.end(simulation).catch(() => undefined);
  simulation = null;
  now = null;
  root = { id: 0, parent: null, event: "start", command: "", depth: 0, children: [] };
  here = root;
  forward = [];
  numbers = 1;
  problem = "";
  explored.clear();
  try {
    const found = await api.begin({ name: state.model.name, process: process || null, replay });
    if (found.message) {
      problem = found.message;
    } else {
      simulation = found.simulation;
      took(found);
      if (watches.length) await tell({ watch: watches });
    }
  } catch (error) {
    problem = (error as Error).message;
  }
  show();
}

function took(found: Json): void {
  if (!found.state) return;
  const before = now;
  now = found.state;
  explored.visit(before, now!);
  mark(
    "run",
    (now!.positions ?? []).map((one: Json) => ({ line: one.line, column: one.column, title: `${one.process} is here` })),
  );
}

async function tell(given: Json | string): Promise<boolean> {
  if (!simulation || isBusy) return false;
  isBusy = true;
  try {
    const found = await api.tell(simulation, given);
    if (found.message) {
      say(found.message, "wrong");
      if (/there is no such simulation|process ended/.test(found.message)) {
        simulation = null;
        problem = "The simulation has ended. Begin it again.";
      }
      return false;
    }
    took(found);
    return true;
  } catch (error) {
    say((error as Error).message, "wrong");
    return false;
  } finally {
    isBusy = false;
  }
}

/** Notes the steps that a command has taken as choices in the tree. */
function grow(steps: Json[]): void {
  for (const step of steps) {
    const known = here.children.find((one) => one.event === step.event && one.command === stepCommand(step));
    const next = known ?? { id: numbers++, parent: here, event: step.event, command: stepCommand(step), depth: here.depth + 1, children: [] };
    if (!known) here.children.push(next);
    here = next;
  }
}

/* what tells a step from others of its state: its event, who takes part, and the state that it leads to */
function stepCommand(step: Json): string {
  return JSON.stringify([step.event, step.processes, step.state]);
}

async function take(number: number): Promise<void> {
  const kept = here;
  if (await tell(String(number))) {
    here = kept;
    grow(now!.steps);
    forward = [];
  }
  show();
}

async function several(given: Json | string): Promise<boolean> {
  const before = here;
  const done = await tell(given);
  if (done) {
    here = way(before)[now!.kept - 1] ?? root;
    grow(now!.steps);
    forward = [];
  }
  show();
  return done;
}

/** Goes to any state that was tried, by the steps that led there. */
async function go(target: Choice): Promise<void> {
  const [from, to] = [way(here), way(target)];
  let same = 0;
  while (same < from.length && same < to.length && from[same] === to[same]) same++;
  if (same < from.length && !(await tell(`goto ${same}`))) return;
  here = to[same - 1] ?? root;
  for (const choice of to.slice(same)) {
    const [event, who] = JSON.parse(choice.command);
    const step = (now!.enabled as Json[]).filter((one) => one.event === event && JSON.stringify(one.processes) === JSON.stringify(who));
    let arrived = false;
    for (const one of step) {
      if (!(await tell(String(one.number)))) return;
      if (stepCommand(now!.steps[0]) === choice.command) {
        arrived = true;
        break;
      }
      if (!(await tell("back"))) return;
    }
    if (!arrived) return say("this choice is no longer possible", "wrong");
    here = choice;
  }
  show();
}

async function back(): Promise<void> {
  if (!here.parent) return;
  forward.push(here);
  const kept = forward;
  await go(here.parent);
  forward = kept;
  show();
}

async function ahead(): Promise<void> {
  const next = forward.pop() ?? here.children[here.children.length - 1];
  if (!next) return;
  const kept = forward;
  await go(next);
  forward = kept;
  show();
}

// ---------------------------------------------------------------- parts

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function stateTable(): HTMLElement {
  const variables = Object.entries(now!.state.variables ?? now!.state ?? {}).filter(([name]) => name !== "processes");
  const places = Object.entries(now!.state.processes ?? {});
  const changedNames = new Set((now!.changes as string[]).map((one) => one.split(/[[:. ]/)[0]));
  const positions = new Map((now!.positions as Json[]).map((one) => [one.process, one]));
  return h(
    "div",
    { class: "state-tables" },
    variables.length
      ? h(
          "table",
          { class: "values" },
          h("caption", null, "Values"),
          h("tbody", null, variables.map(([name, value]) => h("tr", { class: changedNames.has(name) ? "new" : "" }, h("th", { scope: "row" }, name), h("td", null, valueText(value))))),
        )
      : null,
    places.length
      ? h(
          "table",
          { class: "values" },
          h("caption", null, "Processes are at"),
          h(
            "tbody",
            null,
            places.map(([name, value]) => {
              const place = positions.get(name);
              return h(
                "tr",
                null,
                h("th", { scope: "row" }, name),
                h("td", null, place?.line ? h("button", { class: "link code", title: `line ${place.line}`, onclick: () => mark("run", [{ line: place.line, column: place.column }]) }, valueText(value)) : valueText(value)),
              );
            }),
          ),
        )
      : null,
  );
}

function enabledList(): HTMLElement {
  const enabled = now!.enabled as Json[];
  const disabled = (now!.disabled ?? []) as Json[];
  const failures = (now!.failures ?? []) as Json[];
  const expected = now!.replay?.next;
  return h(
    "div",
    { class: "enabled" },
    h("h3", null, enabled.length ? `Possible now (${enabled.length})` : ending()),
    h(
      "ol",
      { class: "plain events" },
      enabled.map((one) =>
        h(
          "li",
          null,
          h(
            "button",
            { class: `event${one.number === expected ? " expected" : ""}`, onclick: () => void take(one.number), "data-event": one.event },
            one.number <= 9 ? h("kbd", null, one.number) : h("span", { class: "number" }, one.number),
            h("span", { class: "code" }, one.event.split("@")[0]),
            h("span", { class: "soft grow" }, one.sender ? `${one.sender} → ${one.receiver}` : one.processes.join(", ")),
            h("span", { class: "changes code" }, one.changes.join(", ")),
          ),
        ),
      ),
    ),
    failures.map((one) => h("p", { class: "notice" }, `${one.event ?? "a step"} fails: ${one.problem.message}`)),
    disabled.length
      ? h(
          "details",
          { class: "disabled" },
          h("summary", null, `Not enabled, and why (${disabled.length})`),
          h("ul", { class: "plain" }, disabled.map((one) => h("li", null, h("span", { class: "code" }, one.process), h("span", { class: "soft" }, ` ${one.because}`)))),
        )
      : null,
  );
}

function ending(): string {
  switch (now!.status) {
    case "deadlock":
      return "Deadlock: nothing is possible";
    case "terminated":
      return "Everything has terminated";
    case "error":
      return "A process is in ERROR";
    case "failed":
      return "Every step fails";
  }
  return "Nothing is possible";
}

function waitingBox(): HTMLElement | null {
  const waits = (now!.waiting ?? []) as Json[];
  if (!waits.length) return null;
  const cycle = (now!.circular_wait ?? []) as Json[];
  return h(
    "section",
    { class: "waiting", "aria-label": "who waits for what" },
    h("h3", null, "Who waits for what"),
    h(
      "ul",
      { class: "plain" },
      waits.map((one) =>
        h(
          "li",
          null,
          h("strong", { class: "code" }, one.process),
          one.blocked.map((each: Json) =>
            h("div", { class: "soft" }, `${each.event || "a step"}: ${because(each.because)}`),
          ),
        ),
      ),
    ),
    cycle.length
      ? h("p", { class: "cycle" }, "In a circle: ", cycle.map((one) => `${one.process} waits for ${one.waits_for}`).join("; "), ".")
      : null,
  );
}

function because(given: Json): string {
  switch (given.kind) {
    case "guard":
      return `needs ${given.condition}, but ${Object.entries(given.values ?? {}).map(([name, value]) => `${name} is ${valueText(value)}`).join(", ")}`;
    case "full":
      return `channel ${given.channel} is full`;
    case "empty":
      return `channel ${given.channel} is empty`;
    case "no-receiver":
      return `nobody receives from ${given.channel}`;
    case "no-sender":
      return `nobody sends on ${given.channel}`;
    case "not-offered":
    case "not-ending":
      return `${given.by.join(", ")} ${given.by.length > 1 ? "do" : "does"} not take part`;
    case "fails":
      return `fails: ${given.message}`;
  }
  return "other steps go first";
}

function tree(): HTMLElement {
  const lines: HTMLElement[] = [];
  const pending: { choice: Choice; indent: number }[] = [{ choice: root, indent: 0 }];
  while (pending.length && lines.length < 400) {
    const { choice, indent } = pending.pop()!;
    lines.push(
      h(
        "li",
        { role: "treeitem", "aria-level": indent + 1, "aria-selected": choice === here ? "true" : "false" },
        h(
          "button",
          { class: `choice indent${Math.min(indent, 9)}${choice === here ? " here" : ""}`, onclick: () => void go(choice), "aria-current": choice === here ? "step" : false },
          h("span", { class: "soft number" }, choice.depth),
          ` ${choice.event.split("@")[0]}`,
        ),
      ),
    );
    const branches = choice.children.length > 1 ? 1 : 0;
    for (const child of [...choice.children].reverse()) pending.push({ choice: child, indent: indent + branches });
  }
  return h("ul", { class: "plain tree", role: "tree", "aria-label": "choices tried" }, lines);
}

function watchBox(): HTMLElement {
  const values = (now!.watched ?? []) as Json[];
  const field = h("input", { placeholder: "x + 1, or x == 3", "aria-label": "expression to watch", class: "grow code" });
  const add = async () => {
    const text = field.value.trim();
    if (!text) return;
    watches = [...watches, text];
    if (!(await tell({ watch: watches }))) watches = watches.slice(0, -1);
    show();
  };
  field.addEventListener("keydown", (event) => event.key === "Enter" && void add());
  return h(
    "section",
    { "aria-label": "watched expressions" },
    h("h3", null, "Watch"),
    values.length
      ? h(
          "table",
          { class: "values" },
          h(
            "tbody",
            null,
            values.map((one, index) =>
              h(
                "tr",
                null,
                h("th", { scope: "row" }, one.text),
                h("td", { class: one.value === true ? "good" : one.problem ? "bad" : "" }, one.problem ?? valueText(one.value)),
                h("td", null, h("button", { class: "quiet", "aria-label": `stop watching ${one.text}`, onclick: () => ((watches = watches.filter((_, other) => other !== index)), void tell({ watch: watches }).then(() => show())) }, icon("close"))),
              ),
            ),
          ),
        )
      : null,
    h("div", { class: "row" }, field, h("button", { onclick: () => void add() }, "Watch")),
  );
}

// ---------------------------------------------------------------- what becomes of a trace

function exportTrace(): void {
  const steps = way(here).map((one, index) => {
    const [event, processes, reached] = JSON.parse(one.command);
    return { step: index + 1, event, processes, state: reached };
  });
  const script = steps.map((one) => one.event.split("@")[0]).join("\n");
  const text = JSON.stringify({ model: state.model?.name, process: process || null, steps }, null, 1);
  void dialog(
    "Export the trace",
    h("div", null, h("p", null, `${counted(steps.length, "step")}. The script is for fairlead simulate --script; JSON has the states.`), h("textarea", { readonly: true, rows: 8, class: "code", "aria-label": "script" }, script)),
    [
      ["json", "Download JSON"],
      ["script", "Download script"],
      ["", "Close"],
    ],
  ).then((chosen) => {
    if (chosen === "json") download("trace.json", text, "application/json");
    if (chosen === "script") download("trace.txt", script + "\n", "text/plain");
  });
}

export function download(name: string, content: string | Blob, type = "text/plain"): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const address = URL.createObjectURL(blob);
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** The values of the variables as a condition; arrays element by element. */
export function condition(variables: Json): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(variables)) {
    if (Array.isArray(value)) value.forEach((one, index) => typeof one !== "object" && parts.push(`${name}[${index}] == ${one}`));
    else if (typeof value === "number" || typeof value === "boolean") parts.push(`${name} == ${value}`);
  }
  return parts.join(" && ");
}

function toFormula(): void {
  const name = process || processes[0]?.name || "";
  const isCsp = state.model?.name.endsWith(".csp");
  const events = way(here);
  const last = events[events.length - 1]?.event.split("@")[0];
  const values = condition(now!.state.variables ?? {});
  const again: string[] = [];
  if (isCsp && values) {
    again.push(`#define reached ${values};`, `#assert ${name} reaches reached;`, `#assert ${name} |= [](reached -> X <> reached);`);
  } else if (isCsp && last) again.push(`#assert ${name} |= []<> ${last};`);
  else if (last) again.push(`assert AGAIN = []<>${last}`);
  if (!again.length) return say("there is nothing to ask about: no variables, and no step yet");
  void dialog(
    "Ask about this state",
    h(
      "div",
      null,
      h("p", null, values && isCsp ? "Can a state with these values be reached, and is it reached again and again? Where processes are in their text does not count." : "Does the last event occur infinitely often?"),
      h("textarea", { readonly: true, rows: 5, class: "code", "aria-label": "assertions" }, again.join("\n")),
    ),
    [
      ["add", "Add to the model"],
      ["", "Close"],
    ],
  ).then((chosen) => {
    if (chosen === "add") {
      append(again.join("\n"));
      say("added at the end of the model");
    }
  });
}

// ---------------------------------------------------------------- the panel

export function simulatorPanel(): HTMLElement {
  const head = h("div", { class: "row wrap panel-tools" });
  const body = h("div", { class: "simulator" });
  const until = h("input", { placeholder: "until x == 3, or an event", "aria-label": "run until", class: "code until" });
  const run = () => {
    const text = until.value.trim();
    if (!text) return;
    void several({ until: text, most: 2000 }).then((done) => {
      if (done) say(`after ${counted(now!.step, "step")}`);
    });
  };
  until.addEventListener("keydown", (event) => event.key === "Enter" && run());
  let known = "";

  show = () => {
    fill(
      head,
      h(
        "label",
        { class: "row" },
        h("span", { class: "soft" }, "process"),
        h(
          "select",
          { onchange: (event: Event) => ((process = (event.target as HTMLSelectElement).value), void begin()) },
          processes.map((one) => {
            const element = h("option", { value: one.name }, one.name);
            element.selected = one.name === process;
            return element;
          }),
        ),
      ),
      h("button", { class: now ? "" : "primary", onclick: () => void begin(), disabled: !state.model, title: "begin anew, with the text as it is now" }, now ? "Begin anew" : "Begin"),
      now
        ? [
            h("button", { onclick: () => void back(), disabled: !here.parent, title: "back (←)" }, "◀ Back"),
            h("button", { onclick: () => void ahead(), disabled: !here.children.length, title: "forward (→)" }, "Forward ▶"),
            now.replay ? h("button", { onclick: () => void several("next"), disabled: now.replay.next === null, title: "the next step of the run" }, "Next of the run") : null,
            h("button", { onclick: () => void several("random 10"), disabled: !now.enabled.length, title: "ten random steps" }, "Random ×10"),
            h("span", { class: "row" }, until, h("button", { onclick: run }, "Run")),
            h("button", { onclick: exportTrace, disabled: !here.parent }, "Export"),
            h("button", { onclick: toFormula }, "Ask about this state"),
            h("button", { onclick: () => perform("graph-explored") }, "Draw"),
          ]
        : null,
    );
    if (!now) {
      fill(
        body,
        problem
          ? h("p", { class: "notice" }, problem)
          : h("div", { class: "empty small" }, h("h2", null, "Step through the model"), h("p", null, "Choose what happens, go back, try something else. Nothing is lost: every choice stays in the tree.")),
      );
      return;
    }
    fill(
      body,
      h("p", { class: "lead", "aria-live": "polite" }, here.parent ? `After ${counted(now.step, "step")}: ${here.event.split("@")[0]}` : "At the start", now.replay ? h("span", { class: "soft" }, ` · ${now.replay.shows} of ${now.replay.assertion}, ${now.replay.followed ?? 0} of ${now.replay.stem + now.replay.loop} steps followed`) : null),
      h("div", { class: "columns" }, h("div", null, enabledList(), waitingBox(), watchBox()), h("div", null, stateTable()), h("div", null, h("h3", null, "Tried"), tree())),
    );
    body.querySelector(".choice.here")?.scrollIntoView({ block: "nearest" });
  };

  const learnProcesses = async () => {
    if (!state.model) return;
    const key = `${state.model.name} ${state.questions.questions.map((one) => one.text).join(" ")}`;
    if (key === known && processes.length) return;
    const found = await request<{ name: string }[]>("fairlead/processes", { textDocument: { uri: uri() } });
    if (found === null) return void setTimeout(() => void learnProcesses(), 700);
    known = key;
    processes = found;
    if (!processes.some((one) => one.name === process)) process = processes[0]?.name ?? "";
    show();
    changed("processes");
  };

  on(["model"], () => {
    if (state.model?.name === body.dataset.model) return;
    body.dataset.model = state.model?.name ?? "";
    if (simulation) void api.end(simulation).catch(() => undefined);
    [simulation, now, problem, processes, process, known, watches] = [null, null, "", [], "", "", []];
    explored.clear();
    show();
  });
  on(["questions"], () => void learnProcesses());
  show();

  const panel = h("div", { class: "panel" }, head, body);
  panel.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[1-9]$/.test(event.key) && now && Number(event.key) <= now.enabled.length) void take(Number(event.key)).then(() => refocus(panel));
    else if (event.key === "ArrowLeft") void back().then(() => refocus(panel));
    else if (event.key === "ArrowRight") void ahead().then(() => refocus(panel));
    else return;
    event.preventDefault();
  });

  command("simulate", "Begin a simulation", () => {
    perform("tab-simulate");
    return begin();
  });
  command("simulate-run", "Step through the run of the verdict", () => {
    const chosen = state.chosen;
    if (!chosen?.hasRun) return say("choose a verdict that has a run");
    perform("tab-simulate");
    const { fairness, assertion, fair } = chosen.result;
    process = chosen.result.process ?? process;
    return begin({ basis: chosen.basis, fairness, assertion, fair });
  });
  command("random", "Ten random steps", () => void several("random 10"));
  command("export-trace", "Export the trace", () => (now ? exportTrace() : say("begin a simulation first")));
  command("formula", "Ask about the state of the simulation", () => (now ? toFormula() : say("begin a simulation first")));
  return panel;
}

/* the button that was pressed is gone when the state is shown anew */
function refocus(panel: HTMLElement): void {
  if (!panel.contains(document.activeElement)) panel.querySelector<HTMLElement>(".event, .choice.here")?.focus();
}

export function knownProcesses(): { name: string }[] {
  return processes;
}
