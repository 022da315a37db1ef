// Where the states of a graph stand when there is no drawing of the server: in layers by distance.
import type { Graph } from "./explored";

export interface Placed {
  x: Float64Array;
  y: Float64Array;
  width: number;
  height: number;
}

/** Layers by distance from the initial state; in each layer an order with few crossings. */
export function layers(graph: Graph, apart: { across: number; along: number }): Placed {
  const count = graph.nodes.length;
  const place = new Map(graph.nodes.map((node, index) => [node.id, index]));
  const after: number[][] = Array.from({ length: count }, () => []);
  const before: number[][] = Array.from({ length: count }, () => []);
  for (const edge of graph.edges) {
    const [from, to] = [place.get(edge.from)!, place.get(edge.to)!];
    if (from === to) continue;
    after[from].push(to);
    before[to].push(from);
  }
  const layer = new Int32Array(count).fill(-1);
  const rows: number[][] = [];
  const starts = [place.get(graph.initial) ?? 0, ...graph.nodes.keys()];
  for (const start of starts) {
    if (count === 0 || layer[start] >= 0) continue;
    layer[start] = 0;
    const queue = [start];
    for (const node of queue) {
      (rows[layer[node]] ??= []).push(node);
      // whoever is not reachable is found over arrows in the other direction
      for (const next of start === starts[0] ? after[node] : [...after[node], ...before[node]]) {
        if (layer[next] < 0) {
          layer[next] = layer[node] + 1;
          queue.push(next);
        }
      }
    }
  }
  const position = new Float64Array(count);
  rows.forEach((row) => row.forEach((node, index) => (position[node] = index - (row.length - 1) / 2)));
  for (let round = 0; round < 12; round++) {
    const down = round % 2 === 0;
    const order = down ? rows : [...rows].reverse();
    for (const row of order) {
      const wanted = new Map<number, number>();
      for (const node of row) {
        const near = (down ? before[node] : after[node]).filter((other) => layer[other] !== layer[node]);
        const sum = near.reduce((total, other) => total + position[other], 0);
        wanted.set(node, near.length ? sum / near.length : position[node]);
      }
      row.sort((a, b) => wanted.get(a)! - wanted.get(b)! || a - b);
      row.forEach((node, index) => (position[node] = index - (row.length - 1) / 2));
    }
  }
  // tall layers are broken into several columns, so that a drawing stays readable
  const most = Math.max(12, Math.ceil(Math.sqrt(count) * 1.6));
  const x = new Float64Array(count);
  const y = new Float64Array(count);
  let along = 0;
  let height = 0;
  for (const row of rows) {
    const columns = Math.max(1, Math.ceil(row.length / most));
    const tall = Math.ceil(row.length / columns);
    row.forEach((node, index) => {
      const column = Math.floor(index / tall);
      const inColumn = Math.min(tall, row.length - column * tall);
      x[node] = along + column * apart.along * 0.7;
      y[node] = ((index % tall) - (inColumn - 1) / 2) * apart.across + (column % 2 ? apart.across / 2 : 0);
      height = Math.max(height, Math.abs(y[node]));
    });
    along += apart.along + (columns - 1) * apart.along * 0.7;
  }
  for (let node = 0; node < count; node++) y[node] += height;
  return { x, y, width: Math.max(0, along - apart.along), height: 2 * height };
}
