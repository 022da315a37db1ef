// What the page knows. Parts of it listen to what changes, and show themselves anew.
import type { Job, Json, Questions, Verdict } from "./api";

export interface Model {
  name: string;
  uri: string;
  /** the version on disk that the text began with; null if it was never saved */
  version: string | null;
  isDirty: boolean;
}

export interface State {
  session: Json;
  files: { name: string; draft: boolean }[];
  model: Model | null;
  questions: Questions;
  jobs: Map<string, Job>;
  chosen: Verdict | null;
  isConnected: boolean;
}

export const state: State = {
  session: {},
  files: [],
  model: null,
  questions: { questions: [], others: [] },
  jobs: new Map(),
  chosen: null,
  isConnected: true,
};

export type Topic = "files" | "model" | "questions" | "jobs" | "chosen" | "connection" | "theme" | "processes";
const listeners = new Map<Topic, Set<() => void>>();

export function on(topics: Topic[], listener: () => void): void {
  for (const topic of topics) {
    if (!listeners.has(topic)) listeners.set(topic, new Set());
    listeners.get(topic)!.add(listener);
  }
}

export function changed(topic: Topic): void {
  for (const listener of listeners.get(topic) ?? []) listener();
}

/** All verdicts on the model, with their questions. */
export function verdicts(): Verdict[] {
  return [...state.questions.questions.flatMap((one) => one.verdicts), ...state.questions.others];
}

/** Commands that parts of the page offer to each other and to the palette. */
export interface Command {
  id: string;
  title: string;
  keys?: string;
  run: () => void | Promise<void>;
}

export const commands = new Map<string, Command>();

export function command(id: string, title: string, run: () => void | Promise<void>, keys?: string): void {
  commands.set(id, { id, title, run, keys });
}

export function perform(id: string): void {
  void commands.get(id)?.run();
}
