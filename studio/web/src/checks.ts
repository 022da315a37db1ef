// Assertions × notions: what is known, what is under way, and everything about one verdict.
import { type Job, type Json, type Question, Refusal, type Verdict, api } from "./api";
import { count, counted, dialog, fill, h, harmless, icon, say } from "./dom";
import { goTo, refresh, settle } from "./editor";
import { changed, command, on, perform, state, verdicts } from "./state";
import { marked } from "marked";

const SIGNS: Record<string, string> = { holds: "✓", violated: "✗", unknown: "?", error: "!" };
const CLASSES: Record<string, string> = { holds: "good", violated: "bad", unknown: "unsure", error: "bad" };
const ACTIVE = new Set(["waiting", "running"]);

export function sign(verdict: string): string {
  return SIGNS[verdict] ?? "·";
}

export function nameOf(verdict: Verdict): string {
  const { assertion, fairness, fair } = verdict.result;
  return `${assertion} [${fairness}${fair ? `, ${fair}` : ""}]`;
}

/** Begins a job about the model. */
export async function post(job: Json): Promise<Job | null> {
  if (!state.model) return null;
  await settle();
  try {
    const found = await api.post({ name: state.model.name, ...job });
    state.jobs.set(found.id, found);
    changed("jobs");
    return found;
  } catch (error) {
    say((error as Error).message, "wrong");
    if (error instanceof Refusal && error.status === 409) await refresh();
    return null;
  }
}

/** A job, and its answer when it has one. */
export async function answered(job: Json): Promise<Json | null> {
  const posted = await post(job);
  if (!posted) return null;
  const ended = await new Promise<Job>((resolve) => {
    const look = () => {
      const now = state.jobs.get(posted.id);
      if (now === undefined || !ACTIVE.has(now.stage)) {
        waiting.delete(look);
        resolve(now ?? { ...posted, stage: "gone" });
      }
    };
    waiting.add(look);
    look();
  });
  const found = ended.stage === "gone" ? ended : await api.answer(posted.id).catch(() => ended);
  return found;
}

const waiting = new Set<() => void>();

export function jobChanged(job: Job): void {
  if (job.stage === "gone") state.jobs.delete(job.id);
  else state.jobs.set(job.id, job);
  changed("jobs");
  for (const look of [...waiting]) look();
}

/** All jobs anew, after a connection was lost. */
export function jobsKnown(jobs: Job[]): void {
  state.jobs = new Map(jobs.map((job) => [job.id, job]));
  changed("jobs");
  for (const look of [...waiting]) look();
}

let notion = "";

export function checkOne(question: Question, fairness: string | null): void {
  void post({ kind: "check", question: question.number, text: question.text, fairness });
}

function checkAll(): void {
  if (state.model) void post({ kind: "check", fairness: notion || null });
}

function cancelAll(): void {
  for (const job of state.jobs.values()) if (ACTIVE.has(job.stage)) void api.cancel(job.id).catch(() => undefined);
}

/** Chooses a verdict: its details are shown, and its run where runs are. */
export function choose(verdict: Verdict | null): void {
  state.chosen = verdict;
  changed("chosen");
}

// ---------------------------------------------------------------- the matrix

function underWay(question: Question, fairness: string): Job | null {
  for (const job of state.jobs.values()) {
    if (!ACTIVE.has(job.stage) || job.kind !== "check" || job.name !== state.model?.name) continue;
    if (job.question !== null && job.question !== question.text) continue;
    if (job.fairness && job.fairness !== "all" && !job.fairness.split(",").includes(fairness)) continue;
    if (!job.fairness && question.verdicts.length && !question.verdicts.some((one) => one.result.fairness === fairness)) continue;
    return job;
  }
  return null;
}

function cell(question: Question, fairness: string, title: string): HTMLElement {
  const found = question.verdicts.find((one) => one.result.fairness === fairness && !one.result.fair);
  const job = underWay(question, fairness);
  if (job && !found) {
    const text = job.stage === "waiting" ? "waiting" : "running";
    return h("td", null, h("span", { class: `cell ${text}`, title: text, role: "img", "aria-label": `${text}: ${question.text}, ${title}` }));
  }
  if (!found) {
    if (!question.hasFormula && fairness !== "none" && !question.verdicts.length) return h("td", null);
    return h(
      "td",
      null,
      h(
        "button",
        {
          class: "cell unasked",
          title: `check under ${title}`,
          "aria-label": `check ${question.text} under ${title}`,
          onclick: () => checkOne(question, question.hasFormula ? fairness : null),
        },
        icon("play"),
      ),
    );
  }
  const verdict = found.result.verdict as string;
  const isChosen = state.chosen?.basis === found.basis && state.chosen.result.fairness === fairness;
  const trivial = found.result.vacuous ? ", trivially" : "";
  return h(
    "td",
    null,
    h(
      "button",
      {
        class: `cell ${CLASSES[verdict]}${isChosen ? " chosen" : ""}`,
        title: `${verdict}${trivial} under ${title}`,
        "aria-label": `${verdict}${trivial}: ${question.text} under ${title}`,
        "aria-pressed": isChosen ? "true" : "false",
        onclick: () => choose(found),
      },
      sign(verdict),
      found.result.vacuous ? h("span", { class: "trivial" }, "~") : null,
    ),
  );
}

function matrix(): HTMLElement {
  const notions: Json[] = state.session.notions ?? [];
  const used = new Set(verdicts().map((one) => one.result.fairness));
  const shown = notions.filter((one) => one.name !== "impartial" || used.has("impartial"));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": "assertions under notions of fairness" },
    h(
      "table",
      { class: "matrix" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, "assertion"),
          shown.map((one) =>
            h(
              "th",
              { scope: "col" },
              h("button", { class: "link", title: `${one.title}: what it means`, onclick: () => void explain(one.name) }, one.name),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        state.questions.questions.map((question) =>
          h(
            "tr",
            null,
            h(
              "th",
              { scope: "row" },
              h(
                "button",
                { class: "link code", title: `line ${question.line + 1}`, onclick: () => goTo(question.line + 1) },
                question.text,
              ),
              question.advice ? h("div", { class: "advice-line" }, question.advice.title) : null,
            ),
            shown.map((one) => cell(question, one.name, one.title)),
          ),
        ),
      ),
    ),
  );
}

// ---------------------------------------------------------------- jobs

function memory(bytes: number): string {
  return bytes > 1 << 20 ? `${count(Math.round(bytes / (1 << 20)))} MB` : `${count(Math.round(bytes / 1024))} kB`;
}

function jobRow(job: Job): HTMLElement {
  const active = ACTIVE.has(job.stage);
  const progress = job.progress ?? {};
  const facts: string[] = [];
  if (job.stage === "waiting") facts.push("waiting for its turn");
  else if (active) {
    facts.push(progress.phase ?? "beginning");
    if (progress.of > 1) facts.push(`${progress.done + 1} of ${progress.of}`);
    if (progress.states) facts.push(counted(progress.states, "state"), `${count(progress.rate)} states/s`);
    if (progress.depth) facts.push(`depth ${count(progress.depth)}`);
    if (progress.memory) facts.push(memory(progress.memory));
  } else facts.push(job.message ? `${job.stage}: ${job.message}` : job.stage);
  return h(
    "li",
    { class: `job ${job.stage}` },
    h(
      "div",
      { class: "job-text" },
      h("span", { class: "job-title" }, h("strong", null, job.kind), " ", h("span", { class: "code" }, job.title), job.fairness ? ` [${job.fairness}]` : ""),
      h("span", { class: "soft" }, facts.join(" · ")),
    ),
    active ? h("div", { class: "bar", "aria-hidden": "true" }, h("i", null)) : null,
    h(
      "button",
      { class: "quiet", title: active ? "cancel" : "remove", "aria-label": `${active ? "cancel" : "remove"} ${job.title}`, onclick: () => void api.cancel(job.id).catch(() => undefined) },
      icon(active ? "stop" : "close"),
    ),
  );
}

function jobList(): HTMLElement | null {
  const listed = [...state.jobs.values()].filter((job) => job.stage !== "done" && job.name === state.model?.name);
  if (!listed.length) return null;
  const active = listed.filter((job) => ACTIVE.has(job.stage)).length;
  return h(
    "section",
    { class: "jobs", "aria-label": "jobs" },
    h("div", { class: "row" }, h("h3", null, active ? counted(active, "job") + " under way" : "Jobs that gave no answer"), active > 1 ? h("button", { onclick: cancelAll }, "Cancel all") : null),
    h("ul", null, listed.slice(-30).map(jobRow)),
  );
}

// ---------------------------------------------------------------- one verdict

function facts(result: Json): [string, string][] {
  const found: [string, string][] = [
    ["states", count(result.states ?? 0)],
    ["transitions", count(result.transitions ?? 0)],
    ["time", `${(result.seconds ?? 0).toFixed(3)} s`],
  ];
  if (result.memory_bytes) found.push(["memory", memory(result.memory_bytes)]);
  if (result.product_nodes) found.push(["nodes of the product", count(result.product_nodes)]);
  const reduction = result.reduction ?? result.strategy;
  if (reduction) found.push(["reduction", typeof reduction === "string" ? reduction : (reduction.kind ?? reduction.name ?? JSON.stringify(reduction))]);
  if (result.also_under?.length) found.push(["same verdict under", result.also_under.join(", ")]);
  if (result.optimum !== undefined && result.optimum !== null) found.push(["optimum", String(result.optimum)]);
  return found;
}

export function details(verdict: Verdict): HTMLElement {
  const result = verdict.result;
  const question = state.questions.questions.find((one) => one.verdicts.some((other) => other.basis === verdict.basis));
  const remarks: string[] = [];
  if (result.vacuous) remarks.push("It holds for a trivial reason: " + trivial(result.vacuous));
  for (const warning of result.warnings ?? []) remarks.push(warning.message ?? String(warning));
  if (result.reason) remarks.push(`A limit was reached: ${result.reason}`);
  if (result.problem?.message) remarks.push(result.problem.message);
  return h(
    "section",
    { class: "details", "aria-label": "verdict" },
    h(
      "div",
      { class: "row" },
      h("span", { class: `verdict ${CLASSES[result.verdict]}` }, `${sign(result.verdict)} ${result.verdict}`),
      h("span", { class: "code grow" }, result.assertion),
      h("span", { class: "soft" }, `under ${result.fairness}${result.fair ? `, ${result.fair}` : ""}`),
    ),
    h("dl", { class: "facts" }, facts(result).map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value)))),
    remarks.map((remark) => h("p", { class: "notice" }, remark)),
    h(
      "div",
      { class: "row wrap" },
      verdict.hasRun ? h("button", { class: "primary", onclick: () => perform("show-run") }, icon("runs"), "Show the run") : null,
      verdict.hasRun ? h("button", { onclick: () => perform("simulate-run") }, icon("simulate"), "Step through it") : null,
      question && question.hasFormula && result.verdict === "violated"
        ? h("button", { onclick: () => void advise(question) }, "Advise: which fairness is needed?")
        : null,
      h("button", { onclick: () => void explain(result.verdict) }, "What does this mean?"),
      verdict.hasRun || result.verdict ? h("button", { onclick: () => perform("share") }, icon("share"), "Share") : null,
    ),
    question?.advice ? adviceBox(question) : null,
  );
}

function trivial(given: unknown): string {
  if (Array.isArray(given)) return given.map(trivial).join("; ");
  if (given && typeof given === "object") {
    const found = given as Json;
    return found.text ?? found.message ?? found.reason ?? JSON.stringify(found);
  }
  return String(given);
}

/** Asks which fairness an assertion needs; the answer is kept with it. */
export async function advise(question: Question): Promise<void> {
  const found = await answered({ kind: "advise", question: question.number, text: question.text });
  if (found?.stage === "done") await refresh();
  else if (found?.message) say(found.message, "wrong");
}

/** What was found out about the fairness that an assertion needs; each set can be applied. */
export function adviceBox(question: Question): HTMLElement {
  const advice = question.advice!;
  const notions: Json[] = advice.notions ?? [];
  const enough = notions.filter((one) => one.verdict === "holds").map((one) => one.notion ?? one.fairness ?? one.name);
  return h(
    "div",
    { class: "advice" },
    h("h3", null, "Which fairness it needs"),
    (advice.sets ?? []).length
      ? h(
          "ul",
          null,
          advice.sets.map((one: Json) =>
            h(
              "li",
              { class: "row" },
              h("code", { class: "grow" }, one.text),
              h(
                "button",
                {
                  onclick: () => void post({ kind: "check", question: question.number, text: question.text, fairness: "none", fair: one.formula }),
                  title: `check it with --fair "${one.formula}"`,
                },
                "Check under it",
              ),
            ),
          ),
        )
      : h("p", null, String(advice.outcome ?? advice.title)),
    enough.length
      ? h(
          "p",
          null,
          "Notions that suffice: ",
          enough.map((name: string, index: number) => [
            index ? ", " : "",
            h("button", { class: "link", onclick: () => checkOne(question, name) }, name),
          ]),
        )
      : null,
  );
}

/** What `fairlead explain` says about a word. */
export async function explain(name: string): Promise<void> {
  try {
    const found = await api.explain(name);
    const box = h("div", { class: "prose" });
    box.append(harmless(await marked.parse(found.markdown)));
    await dialog(name, box, [["", "Close"]]);
  } catch (error) {
    say((error as Error).message, "wrong");
  }
}

// ---------------------------------------------------------------- the panel

export function checksPanel(): HTMLElement {
  const table = h("div", null);
  const jobs = h("div", { "aria-live": "polite" });
  const about = h("div", null);
  const choice = h(
    "select",
    { "aria-label": "fairness", onchange: (event: Event) => (notion = (event.target as HTMLSelectElement).value) },
  );
  const head = h(
    "div",
    { class: "row wrap panel-tools" },
    h("button", { class: "primary", onclick: checkAll, title: "Ctrl-Enter" }, icon("play"), "Check all"),
    h("label", { class: "row" }, h("span", { class: "soft" }, "under"), choice),
    h("span", { class: "grow" }),
    h("span", { class: "soft limits" }),
  );
  const showJobs = () => {
    fill(jobs, jobList());
    showTable();
  };
  const showTable = () => {
    if (choice.options.length === 0 && state.session.notions) {
      choice.append(
        h("option", { value: "" }, "its language's default"),
        h("option", { value: "all" }, "every notion"),
        ...state.session.notions.map((one: Json) => h("option", { value: one.name }, `${one.name} – ${one.title}`)),
      );
      const limits = state.session.limits;
      head.querySelector(".limits")!.textContent = `limits: ${limits.timeout} s, ${memory(limits.memory)}, ${count(limits.states)} states`;
    }
    const others = state.questions.others;
    fill(
      table,
      !state.model
        ? h("p", { class: "empty small" }, "Open a model to see what it asks.")
        : state.questions.questions.length
          ? matrix()
          : h(
              "div",
              { class: "empty small" },
              h("p", null, "This model asks nothing yet. Add an assertion, such as"),
              h("pre", null, state.model.name.endsWith(".lts") ? "assert LIVE = []<>action" : "#assert System() deadlockfree;"),
            ),
      others.length
        ? h(
            "section",
            { "aria-label": "the composition of everything" },
            h("h3", null, "About the composition of everything"),
            h(
              "ul",
              { class: "plain" },
              others.map((one) =>
                h("li", null, h("button", { class: `cell wide ${CLASSES[one.result.verdict]}`, onclick: () => choose(one) }, `${sign(one.result.verdict)} ${nameOf(one)}`)),
              ),
            ),
          )
        : null,
      extra(),
    );
  };
  const showAbout = () => {
    if (state.chosen) {
      const now = verdicts().find((one) => one.basis === state.chosen!.basis && nameOf(one) === nameOf(state.chosen!));
      if (now) state.chosen = now;
    }
    fill(about, state.chosen ? details(state.chosen) : null);
  };
  on(["jobs"], showJobs);
  on(["questions", "model", "chosen"], () => {
    showTable();
    showAbout();
  });
  on(["model"], () => choose(null));
  showTable();
  command("check-all", "Check all assertions", checkAll, "Ctrl-Enter");
  command("check-every", "Check all assertions under every notion", () => void post({ kind: "check", fairness: "all" }));
  command("cancel-all", "Cancel all jobs", cancelAll);
  return h("div", { class: "panel" }, head, jobs, table, about);
}

/** Verdicts under fairness formulas, which no column of the matrix has. */
function extra(): HTMLElement | null {
  const found = verdicts().filter((one) => one.result.fair);
  if (!found.length) return null;
  return h(
    "section",
    { "aria-label": "under fairness formulas" },
    h("h3", null, "Under fairness formulas"),
    h(
      "ul",
      { class: "plain" },
      found.map((one) =>
        h("li", null, h("button", { class: `cell wide ${CLASSES[one.result.verdict]}`, onclick: () => choose(one) }, `${sign(one.result.verdict)} ${nameOf(one)}`)),
      ),
    ),
  );
}
