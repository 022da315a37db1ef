// What the page asks the server, and what the server tells it.

export type Json = Record<string, any>;

export class Refusal extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly details: Json,
  ) {
    super(message);
  }
}

async function ask(method: string, path: string, body?: Json): Promise<Json> {
  let answer: Response;
  try {
    answer = await fetch(path, {
      method,
      headers: body ? { "content-type": "application/json" } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
  } catch {
    throw new Refusal("the studio does not answer", 0, {});
  }
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(found.message ?? `the studio refused (${answer.status})`, answer.status, found);
  return found;
}

function query(given: Record<string, string | null | undefined>): string {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value) found.set(name, value);
  return found.toString();
}

export interface Verdict {
  basis: string;
  hasRun: boolean;
  result: Json;
}

export interface Question {
  number: number;
  text: string;
  line: number;
  hasFormula: boolean;
  verdicts: Verdict[];
  advice: Json | null;
}

export interface Questions {
  questions: Question[];
  others: Verdict[];
}

export interface Job extends Json {
  id: string;
  name: string;
  kind: string;
  title: string;
  question: string | null;
  fairness: string | null;
  stage: string;
  progress: Json;
  message: string;
}

export const api = {
  session: () => ask("GET", "/api/session"),
  learn: () => ask("GET", "/assets/learn.json"),
  files: () => ask("GET", "/api/files"),
  file: (name: string) => ask("GET", `/api/file?${query({ name })}`),
  save: (name: string, text: string, version: string | null) => ask("PUT", "/api/file", { name, text, version }),
  edit: (name: string, text: string | null, base: string | null) =>
    ask("PUT", "/api/draft", { name, text, base }) as Promise<Questions>,
  questions: (name: string) => ask("GET", `/api/questions?${query({ name })}`) as Promise<Questions>,
  post: (job: Json) => ask("POST", "/api/jobs", job) as Promise<Job>,
  cancel: (id: string) => ask("DELETE", `/api/jobs/${id}`),
  answer: (id: string) => ask("GET", `/api/jobs/${id}`),
  run: (verdict: Verdict) => {
    const { fairness, assertion, fair } = verdict.result;
    return ask("GET", `/api/run?${query({ basis: verdict.basis, fairness, assertion, fair })}`);
  },
  explain: (name: string) => ask("GET", `/api/explain?${query({ name })}`),
  begin: (given: Json) => ask("POST", "/api/simulations", given),
  tell: (simulation: string, command: Json | string) => ask("POST", `/api/simulations/${simulation}`, { command }),
  end: (simulation: string) => ask("DELETE", `/api/simulations/${simulation}`),
  async share(given: Json): Promise<Blob> {
    const answer = await fetch("/api/share", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(given),
    });
    if (!answer.ok) throw new Refusal((await answer.json()).message, answer.status, {});
    return answer.blob();
  },
};

/** Listens to the server, and connects again when it has gone. */
export class Live {
  private pause = 500;

  constructor(
    private readonly path: string,
    private readonly heard: (message: Json) => void,
    private readonly connected: (is: boolean) => void,
  ) {
    this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(`ws://${location.host}${this.path}`);
    socket.onopen = () => {
      this.pause = 500;
      this.connected(true);
    };
    socket.onmessage = (event) => this.heard(JSON.parse(event.data));
    socket.onclose = () => {
      this.connected(false);
      setTimeout(() => this.connect(), this.pause);
      this.pause = Math.min(this.pause * 1.5, 5000);
    };
  }
}
