// The graph: whole where it is small, condensed where it is large, or as far as the simulator has come.
import { type Json } from "./api";
import { answered } from "./checks";
import { count, counted, fill, h, icon, s, say, trusted } from "./dom";
import type { Edge, Graph, Node } from "./explored";
import { layers } from "./layout";
import { download, explored, knownProcesses } from "./simulator";
import { command, on, perform, state } from "./state";

const VIEWS: [string, string][] = [
  ["auto", "what fits"],
  ["explored", "explored in the simulator"],
  ["whole", "whole"],
  ["components", "components"],
  ["strong", "minimised (strong)"],
  ["weak", "minimised (weak)"],
  ["process", "one process"],
  ["near", "near a state"],
];

let view = "auto";
let process = "";
let of: string | number = "";
let terminal = true;
let found: Json | null = null;
let graph: Graph | null = null;
let message = "";
let isBusy = false;
let replay: Json | null = null;

interface Frame {
  x: number;
  y: number;
  w: number;
  h: number;
}

export function graphPanel(): HTMLElement {
  const head = h("div", { class: "row wrap panel-tools" });
  const canvas = h("div", { class: "canvas", tabindex: 0, role: "application", "aria-label": "graph; arrow keys move it, plus and minus zoom, 0 fits it" });
  const side = h("div", { class: "graph-side" });
  const search = h("input", { type: "search", placeholder: "find a state or an event", "aria-label": "find in the graph", class: "find" });
  let svg: SVGSVGElement | null = null;
  let frame: Frame = { x: 0, y: 0, w: 100, h: 100 };
  let whole: Frame = frame;

  // ------------------------------------------------------------ looking around

  const look = (next: Frame) => {
    frame = next;
    svg?.setAttribute("viewBox", `${next.x} ${next.y} ${next.w} ${next.h}`);
  };
  const fit = () => {
    const box = canvas.getBoundingClientRect();
    const ratio = box.width > 0 && box.height > 0 ? box.width / box.height : 1.4;
    const w = Math.max(whole.w, whole.h * ratio, 220);
    look({ x: whole.x + whole.w / 2 - w / 2, y: whole.y + whole.h / 2 - w / ratio / 2, w, h: w / ratio });
  };
  const zoom = (factor: number, cx = frame.x + frame.w / 2, cy = frame.y + frame.h / 2) => {
    const w = Math.min(Math.max(frame.w * factor, 40), Math.max(whole.w, whole.h) * 8 + 400);
    const by = w / frame.w;
    look({ x: cx - (cx - frame.x) * by, y: cy - (cy - frame.y) * by, w, h: frame.h * by });
  };
  const pan = (dx: number, dy: number) => look({ ...frame, x: frame.x + dx * frame.w, y: frame.y + dy * frame.h });
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      zoom(event.deltaY > 0 ? 1.15 : 0.87, frame.x + ((event.clientX - box.left) / box.width) * frame.w, frame.y + ((event.clientY - box.top) / box.height) * frame.h);
    },
    { passive: false },
  );
  const pointers = new Map<number, PointerEvent>();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    pointers.set(event.pointerId, event);
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const box = canvas.getBoundingClientRect();
    if (pointers.size === 1) {
      moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
      if (moved > 4) canvas.setPointerCapture(event.pointerId);
      pan(-(event.clientX - before.clientX) / box.width, -(event.clientY - before.clientY) / box.height);
    } else {
      const [other] = [...pointers.values()].filter((one) => one.pointerId !== event.pointerId);
      const apart = (one: PointerEvent) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      if (apart(event) > 0) zoom(apart(before) / apart(event));
    }
    pointers.set(event.pointerId, event);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"] as const) {
    canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
  }
  canvas.addEventListener("keydown", (event) => {
    const actions: Record<string, () => void> = {
      ArrowLeft: () => pan(-0.1, 0),
      ArrowRight: () => pan(0.1, 0),
      ArrowUp: () => pan(0, -0.1),
      ArrowDown: () => pan(0, 0.1),
      "+": () => zoom(0.8),
      "=": () => zoom(0.8),
      "-": () => zoom(1.25),
      "0": fit,
    };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  // ------------------------------------------------------------ drawing

  const draw = () => {
    fill(canvas);
    svg = null;
    if (!graph || !graph.nodes.length) {
      fill(
        canvas,
        h(
          "div",
          { class: "empty small" },
          isBusy
            ? h("p", null, "Exploring…")
            : [
                h("h2", null, view === "explored" ? "Nothing explored yet" : message ? "No drawing" : "The states of a process"),
                message ? h("p", { class: "notice" }, message) : h("p", null, view === "explored" ? "Begin a simulation: each state that you visit appears here." : "Small graphs are drawn whole; large ones are condensed."),
                h("p", null, h("button", { class: "primary", onclick: () => (view === "explored" ? perform("simulate") : void load()) }, view === "explored" ? "Begin a simulation" : "Draw")),
              ],
        ),
      );
      return;
    }
    if (found?.svg && view !== "explored") {
      const box = h("div", { class: "fairlead drawing" }, h("div", { class: "fl-graph" }));
      trusted(found.svg, box.firstElementChild as HTMLElement);
      canvas.append(box);
      svg = box.querySelector("svg");
      const [x, y, w, hh] = (svg!.getAttribute("viewBox") ?? "0 0 100 100").split(" ").map(Number);
      whole = { x: x - 12, y: y - 12, w: w + 24, h: hh + 24 };
      svg!.removeAttribute("width");
      svg!.removeAttribute("height");
      svg!.querySelectorAll<SVGElement>(".node").forEach((node) => {
        const number = Number(node.dataset.state);
        node.addEventListener("click", () => moved <= 4 && select(number));
      });
    } else {
      svg = plain(graph) as SVGSVGElement;
      canvas.append(svg);
    }
    fit();
    find();
  };

  const plain = (shown: Graph): SVGElement => {
    const small = shown.nodes.length <= 40 && shown.edges.length <= 90;
    const radius = (node: Node) => (small ? 15 : 8) + Math.min(16, Math.log2(Math.max(1, node.size)) * 1.6);
    const placed = layers(shown, small ? { across: 74, along: 150 } : { across: 30, along: 92 });
    const place = new Map(shown.nodes.map((node, index) => [node.id, index]));
    whole = { x: -50, y: -50, w: placed.width + 100, h: placed.height + 100 };
    const arrows = shown.edges.map((edge) => arrow(edge, shown, place, placed, radius, small));
    const circles = shown.nodes.map((node, index) => {
      const [x, y] = [placed.x[index], placed.y[index]];
      const classes = ["state", node.ending, node.mark ?? "", node.terminal !== undefined && terminal ? `tint tint${node.terminal % 6}` : ""];
      const label = node.size > 1 ? count(node.size) : String(node.of ?? node.id);
      return s(
        "g",
        { class: "node", "data-state": node.id, onclick: () => moved <= 4 && select(node.id) },
        s("title", null, details(node).join("\n")),
        node.id === shown.initial ? s("path", { class: "entry", d: `M${x - radius(node) - 22} ${y}H${x - radius(node) - 3}`, "marker-end": "url(#tip)" }) : null,
        s("circle", { class: classes.join(" ").trim(), cx: x, cy: y, r: radius(node) }),
        node.ending === "terminated" ? s("circle", { class: "inner", cx: x, cy: y, r: radius(node) - 3.5 }) : null,
        small || node.size > 1 ? s("text", { x, y: y + 4, class: "number" }, label) : null,
      );
    });
    const picture = s(
      "svg",
      { class: shown.edges.length > 250 ? "map dense" : "map", role: "img", "aria-label": `graph with ${counted(shown.nodes.length, "state")}` },
      s("defs", null, s("marker", { id: "tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, s("path", { d: "M0 0.8L8 4L0 7.2z", class: "tip" }))),
      arrows,
      circles,
    );
    return picture;
  };

  const select = (number: number) => {
    const node = graph?.nodes.find((one) => one.id === number);
    if (!node) return;
    canvas.querySelectorAll(".selected").forEach((one) => one.classList.remove("selected"));
    canvas.querySelector(`.node[data-state="${number}"]`)?.classList.add("selected");
    const edges = graph!.edges.filter((edge) => edge.from === number);
    fill(
      side,
      h(
        "section",
        { class: "details", "aria-label": "state" },
        h("div", { class: "row" }, h("strong", { class: "grow" }, node.size > 1 ? `${counted(node.size, "state")} as one` : `State ${node.of ?? node.id}`), h("button", { class: "quiet", "aria-label": "close", onclick: () => about() }, icon("close"))),
        node.text ? h("ul", { class: "plain code small-text" }, node.text.split(/, (?=[^,:\]]+[=:])/).map((part) => h("li", null, part))) : null,
        node.ending !== "none" ? h("p", { class: "notice" }, node.ending) : null,
        edges.length ? h("p", { class: "soft" }, "leads to: ", edges.slice(0, 12).map((edge) => `${edge.to} by ${edge.labels.join(", ")}`).join("; ")) : null,
        found && view !== "explored" && !["strong", "weak"].includes(found.view)
          ? h("button", { onclick: () => ((view = "near"), (of = node.of ?? node.id), void load()) }, "Show what is near")
          : null,
      ),
    );
  };

  const about = () => {
    if (!graph) return fill(side);
    const facts: (string | HTMLElement)[] = [];
    if (found && view !== "explored") {
      facts.push(h("strong", null, `${counted(found.states, "state")}, ${counted(found.transitions, "transition")}`));
      const name = VIEWS.find(([value]) => value === found!.view)?.[1] ?? found.view;
      if (found.view !== "whole") facts.push(`drawn as ${counted(graph.nodes.length, "state")} (${name})`);
    } else facts.push(h("strong", null, `${counted(graph.nodes.length, "state")} explored`));
    const deadlocks = graph.nodes.filter((node) => node.ending === "deadlock").length;
    if (deadlocks) facts.push(h("span", { class: "bad" }, counted(deadlocks, "deadlock")));
    fill(
      side,
      h("p", { class: "facts-line" }, facts.map((fact, index) => [index ? " · " : "", fact])),
      found?.alphabet?.length && view !== "explored"
        ? h("details", { class: "alphabet", open: state.model?.name.endsWith(".lts") }, h("summary", null, `Alphabet (${found.alphabet.length})`), h("p", { class: "code" }, found.alphabet.slice(0, 300).join("  ")))
        : null,
    );
  };

  // ------------------------------------------------------------ finding

  const find = () => {
    const wanted = search.value.trim().toLowerCase();
    canvas.querySelectorAll(".hit").forEach((one) => one.classList.remove("hit"));
    canvas.classList.toggle("searching", wanted !== "");
    if (!wanted || !graph) return;
    let hits = 0;
    for (const node of graph.nodes) {
      if (String(node.of ?? node.id) === wanted || node.text.toLowerCase().includes(wanted) || node.ending.includes(wanted)) {
        canvas.querySelector(`.node[data-state="${node.id}"]`)?.classList.add("hit");
        hits++;
      }
    }
    for (const edge of graph.edges) {
      if (edge.labels.some((label) => label.toLowerCase().includes(wanted))) {
        canvas.querySelector(`.transition[data-from="${edge.from}"][data-to="${edge.to}"]`)?.classList.add("hit");
        hits++;
      }
    }
    search.title = counted(hits, "hit");
    side.querySelector(".hits")?.remove();
    side.prepend(h("p", { class: "soft hits", role: "status" }, counted(hits, "hit")));
  };
  search.addEventListener("input", find);

  // ------------------------------------------------------------ loading

  const load = async () => {
    if (!state.model) return;
    tools();
    if (view === "explored") {
      graph = explored.graph();
      message = "";
      draw();
      about();
      return;
    }
    isBusy = true;
    graph = null;
    message = "";
    fill(side);
    draw();
    const given = { view, of: view === "near" ? Number(of) || 0 : of, terminal };
    const job = await answered({ kind: "graph", process: process || null, picture: given, replay: view === "whole" || view === "auto" ? replay : null });
    isBusy = false;
    const record = job?.answer?.record;
    found = record?.nodes ? record : null;
    graph = found ? { nodes: found.nodes, edges: found.edges, initial: found.initial } : null;
    const problem = record?.errors?.[0];
    message = found ? "" : problem ? `${problem.message}${problem.hint ? `. ${problem.hint}` : ""}` : (job?.message ?? "");
    tools();
    draw();
    about();
  };

  const tools = () => {
    const processes = knownProcesses();
    if (!processes.some((one) => one.name === process)) process = processes[0]?.name ?? "";
    const parts: string[] = found?.processes ?? [];
    fill(
      head,
      h(
        "label",
        { class: "row" },
        h("span", { class: "soft" }, "process"),
        h(
          "select",
          { onchange: (event: Event) => ((process = (event.target as HTMLSelectElement).value), (replay = null), void load()) },
          processes.map((one) => {
            const element = h("option", { value: one.name }, one.name);
            element.selected = one.name === process;
            return element;
          }),
        ),
      ),
      h(
        "label",
        { class: "row" },
        h("span", { class: "soft" }, "show"),
        h(
          "select",
          {
            onchange: (event: Event) => {
              view = (event.target as HTMLSelectElement).value;
              if (view === "process") of = parts[0] ?? "";
              if (view === "near") of = 0;
              tools();
              if (view !== "process" || of) void load();
            },
          },
          VIEWS.map(([value, text]) => {
            const element = h("option", { value }, text);
            element.selected = value === view;
            return element;
          }),
        ),
      ),
      view === "process"
        ? h(
            "select",
            { "aria-label": "which process", onchange: (event: Event) => ((of = (event.target as HTMLSelectElement).value), void load()) },
            parts.map((name) => {
              const element = h("option", { value: name }, name);
              element.selected = name === of;
              return element;
            }),
          )
        : null,
      view === "near" ? h("input", { type: "number", min: 0, value: of, class: "short", "aria-label": "state", onchange: (event: Event) => ((of = (event.target as HTMLInputElement).value), void load()) }) : null,
      h("label", { class: "row" }, h("input", { type: "checkbox", checked: terminal, onchange: (event: Event) => ((terminal = (event.target as HTMLInputElement).checked), void load()) }), "terminal"),
      h("button", { class: graph ? "" : "primary", onclick: () => void load(), disabled: !state.model }, graph ? "Draw again" : "Draw"),
      search,
      found?.svg ? h("button", { title: "download the drawing", onclick: () => download("graph.svg", found!.svg, "image/svg+xml") }, "SVG") : null,
    );
  };

  explored.changed = () => {
    if (view !== "explored") return;
    graph = explored.graph();
    tools();
    draw();
    about();
  };
  on(["model"], () => {
    if (canvas.dataset.model === state.model?.name) return;
    canvas.dataset.model = state.model?.name ?? "";
    [found, graph, message, process, replay] = [null, null, "", "", null];
    if (view !== "explored") view = "auto";
    tools();
    draw();
    about();
  });
  on(["processes", "theme"], tools);
  new ResizeObserver(() => graph && svg && fit()).observe(canvas);
  tools();
  draw();

  command("draw", "Draw the graph", () => {
    perform("tab-graph");
    return load();
  });
  command("graph-explored", "Draw what the simulator has explored", () => {
    view = "explored";
    perform("tab-graph");
    tools();
    return load();
  });
  command("graph-run", "Show the run in the graph", () => {
    const chosen = state.chosen;
    if (!chosen?.hasRun) return say("choose a verdict that has a run");
    const { fairness, assertion, fair } = chosen.result;
    replay = { basis: chosen.basis, fairness, assertion, fair };
    process = chosen.result.process ?? process;
    view = "whole";
    perform("tab-graph");
    tools();
    return load();
  });
  const zooms = h(
    "div",
    { class: "zooms" },
    h("button", { title: "larger (+)", "aria-label": "zoom in", onclick: () => zoom(0.8) }, "+"),
    h("button", { title: "smaller (-)", "aria-label": "zoom out", onclick: () => zoom(1.25) }, "−"),
    h("button", { title: "fit (0)", "aria-label": "fit the graph", onclick: fit }, icon("fit")),
  );
  return h("div", { class: "panel graph-panel" }, head, h("div", { class: "canvas-box" }, canvas, zooms), side);
}

function details(node: Node): string[] {
  const found = [node.size > 1 ? counted(node.size, "state") : `state ${node.of ?? node.id}`];
  if (node.ending !== "none") found.push(node.ending);
  if (node.text) found.push(node.text);
  return found;
}

function arrow(
  edge: Edge,
  graph: Graph,
  place: Map<number, number>,
  placed: { x: Float64Array; y: Float64Array },
  radius: (node: Node) => number,
  small: boolean,
): SVGElement {
  const [a, b] = [place.get(edge.from)!, place.get(edge.to)!];
  const [from, to] = [graph.nodes[a], graph.nodes[b]];
  const text = edge.labels.join(", ") + (edge.more ? ` … ${edge.more} more` : "");
  const short = text.length > 26 ? `${text.slice(0, 24)}…` : text;
  let path: string;
  let [lx, ly] = [0, 0];
  if (a === b) {
    const r = radius(from);
    const [x, y] = [placed.x[a], placed.y[a]];
    path = `M${x - r * 0.6} ${y - r * 0.8}C${x - r * 2} ${y - r * 3.2} ${x + r * 2} ${y - r * 3.2} ${x + r * 0.65} ${y - r * 0.95}`;
    [lx, ly] = [x, y - r * 2.75];
  } else {
    const dx = placed.x[b] - placed.x[a];
    const dy = placed.y[b] - placed.y[a];
    const length = Math.hypot(dx, dy) || 1;
    const bend = (dx < 0 ? 0.28 : dx === 0 ? 0.35 : 0.08) * length;
    const cx = (placed.x[a] + placed.x[b]) / 2 - (dy / length) * bend;
    const cy = (placed.y[a] + placed.y[b]) / 2 + (dx / length) * bend;
    const start = cut(placed.x[a], placed.y[a], cx, cy, radius(from));
    const end = cut(placed.x[b], placed.y[b], cx, cy, radius(to) + 3);
    path = `M${start}Q${cx} ${cy} ${end}`;
    [lx, ly] = [(placed.x[a] + 2 * cx + placed.x[b]) / 4, (placed.y[a] + 2 * cy + placed.y[b]) / 4 - 5];
  }
  return s(
    "g",
    { class: `transition ${edge.mark ?? ""}`, "data-from": edge.from, "data-to": edge.to },
    s("title", null, text),
    s("path", { class: "arrow", d: path, "marker-end": "url(#tip)" }),
    small ? s("text", { x: lx, y: ly, class: "label" }, short) : null,
  );
}

function cut(x: number, y: number, cx: number, cy: number, radius: number): string {
  const length = Math.hypot(cx - x, cy - y) || 1;
  return `${x + ((cx - x) / length) * radius} ${y + ((cy - y) / length) * radius}`;
}
