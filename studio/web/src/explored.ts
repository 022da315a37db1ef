// The part of the state space that the simulator has seen, as a graph.
import type { Json } from "./api";

export interface Node {
  id: number;
  text: string;
  size: number;
  ending: string;
  mark?: string;
  terminal?: number;
  of?: number;
}

export interface Edge {
  from: number;
  to: number;
  labels: string[];
  more: number;
  mark?: string;
}

export interface Graph {
  nodes: Node[];
  edges: Edge[];
  initial: number;
}

export class Explored {
  private numbers = new Map<string, number>();
  private texts: string[] = [];
  private endings: string[] = [];
  private edges = new Map<string, Edge>();
  current = 0;
  changed: () => void = () => undefined;

  clear(): void {
    this.numbers.clear();
    this.texts = [];
    this.endings = [];
    this.edges.clear();
    this.current = 0;
    this.changed();
  }

  private number(state: Json): number {
    const key = JSON.stringify(state);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(key, number);
    this.texts.push(describe(state));
    this.endings.push("none");
    return number;
  }

  /** The simulation has come from one state, by the steps that are told, to another. */
  visit(before: Json | null, now: Json): void {
    let at = this.current;
    const steps: Json[] = now.steps ?? [];
    if (before === null || now.kept < before.step) at = -1; // it went back first: where that is, the last step tells
    for (const step of steps) {
      const to = this.number(step.state);
      if (at >= 0) this.edge(at, to, step.event.split("@")[0]);
      at = to;
    }
    this.current = this.number(now.state);
    if (!now.enabled.length) this.endings[this.current] = now.status;
    this.changed();
  }

  private edge(from: number, to: number, label: string): void {
    const key = `${from} ${to}`;
    const known = this.edges.get(key) ?? { from, to, labels: [], more: 0 };
    if (!known.labels.includes(label)) known.labels.push(label);
    this.edges.set(key, known);
  }

  graph(): Graph {
    const nodes = this.texts.map((text, id) => ({
      id,
      text,
      size: 1,
      ending: this.endings[id],
      mark: id === this.current ? "here" : undefined,
    }));
    return { nodes, edges: [...this.edges.values()], initial: 0 };
  }
}

function describe(state: Json): string {
  const parts = Object.entries(state.variables ?? {}).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [...parts, ...Object.entries(state.processes ?? {}).map(([name, value]) => `${name}: ${value}`)].join(", ");
}
