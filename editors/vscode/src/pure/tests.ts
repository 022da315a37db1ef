/** What the test explorer shows: an item for each assertion, and what its last verdicts mean for it. */

import type { Question, Questions, Range, Verdict } from "./protocol";

export interface Item {
  id: string;
  label: string;
  range: Range;
}

export type Outcome =
  | { kind: "passed"; message: string }
  | { kind: "failed"; message: string }
  | { kind: "errored"; message: string };

/** The items of a file. The same text can be asserted twice, so its number among equals goes into the name. */
export function itemsOf(found: Questions): Item[] {
  const count = new Map<string, number>();
  return found.questions.map((question) => {
    const number = (count.get(question.text) ?? 0) + 1;
    count.set(question.text, number);
    const id = number === 1 ? question.text : `${question.text} (${number})`;
    return { id, label: question.text, range: question.range };
  });
}

/** What verdicts on one assertion mean together: the worst counts, and what is unknown has not passed. */
export function outcomeOf(verdicts: readonly Verdict[]): Outcome | undefined {
  if (verdicts.length === 0) {
    return undefined;
  }
  const message = verdicts.map((verdict) => verdict.title).join("\n");
  const kinds = new Set(verdicts.map((verdict) => verdict.result.verdict));
  if (kinds.has("error") || kinds.has("unknown")) {
    return { kind: "errored", message };
  }
  return { kind: kinds.has("violated") ? "failed" : "passed", message };
}

/** The verdict of a check: the one that came last, which is the last in the list. */
export function lastVerdicts(question: Question): Verdict[] {
  const last = question.verdicts.at(-1);
  return last === undefined ? [] : [last];
}

/** What tells whether the verdicts on an assertion have changed. */
export function fingerprint(verdicts: readonly Verdict[]): string {
  return verdicts.map((verdict) => verdict.title).join("\n");
}

/** How many assertions of a file hold, in a few words. */
export function summary(found: Questions): string {
  const total = found.questions.length;
  if (total === 0) {
    return "no assertions";
  }
  const outcomes = found.questions.map((question) => outcomeOf(lastVerdicts(question))?.kind);
  const count = (kind: Outcome["kind"] | undefined) => outcomes.filter((one) => one === kind).length;
  const parts = [
    [count("passed"), "hold"],
    [count("failed"), "violated"],
    [count("errored"), "unknown"],
    [count(undefined), "not checked"],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const running = found.questions.some((question) => question.underWay) ? " (checking …)" : "";
  return told.join(", ") + running;
}
