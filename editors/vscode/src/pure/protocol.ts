/** What the server answers to requests of its own, as docs/reference/lsp.md describes them. */

export interface Place {
  line: number;
  character: number;
}

export interface Range {
  start: Place;
  end: Place;
}

export interface Location {
  uri: string;
  range: Range;
}

export interface Result {
  assertion: string;
  fairness: string;
  fair?: string;
  verdict: "holds" | "violated" | "unknown" | "error";
  process?: string;
}

export interface Verdict {
  title: string;
  hasRun: boolean;
  result: Result;
}

export interface Question {
  text: string;
  range: Range;
  hasFormula: boolean;
  underWay: boolean;
  verdicts: Verdict[];
}

export interface Questions {
  questions: Question[];
  others: Verdict[];
}

/** A part of a page, with what it needs. */
export interface Html {
  body: string;
  style: string;
  script: string;
  files: string[];
}

export interface Shown {
  text: string;
  html: Html | null;
}

export interface Run extends Shown {
  id: string;
  result: Result;
}

/** What the server takes to know which run is meant. */
export interface RunOrder {
  textDocument: { uri: string };
  range?: Range;
  assertion?: string;
  fairness?: string;
  fair?: string;
}

export interface Process {
  name: string;
  range: Range;
}

export interface Step {
  number: number | null;
  event: string;
  processes: string[];
  changes: string[];
}

export interface SimulationState {
  step: number;
  undone: number;
  status: string;
  enabled: Step[];
  positions: { process: string; text: string; file?: string; line?: number; column?: number }[];
  replay?: { next: number | null; next_event: string | null };
}

export type SimulationAnswer =
  | ({ state: SimulationState } & Shown)
  | { why: object; text: string }
  | { message: string };

export type Begun = { simulation: string; id: string } & SimulationAnswer;
