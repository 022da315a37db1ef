// The page: its parts, its keys, and how it begins.
import { type Json, Live, Refusal, api } from "./api";
import { checksPanel, choose, jobChanged, jobsKnown } from "./checks";
import { dialog, fill, h, icon, say } from "./dom";
import { changedOnDisk, editorPane, focus, goTo, list, open, outline, refresh, settle } from "./editor";
import { filesPanel, learnPanel } from "./files";
import { graphPanel } from "./graph";
import { growthPanel } from "./growth";
import { connect } from "./lsp";
import { offerPalette, showPalette } from "./palette";
import { runsPanel } from "./runs";
import { offerSharing } from "./share";
import { simulatorPanel } from "./simulator";
import { changed, command, on, perform, state, verdicts } from "./state";

const SIDE: [string, string, string][] = [
  ["files", "Models", "files"],
  ["learn", "Learn", "learn"],
];
const TOOLS: [string, string, string][] = [
  ["checks", "Assertions", "check"],
  ["runs", "Runs", "runs"],
  ["simulate", "Simulate", "simulate"],
  ["graph", "Graph", "graph"],
  ["growth", "Coverage", "growth"],
];

// ---------------------------------------------------------------- tabs

function tabs(entries: [string, string, string][], label: string, panels: Record<string, HTMLElement>) {
  const bar = h("div", { role: "tablist", "aria-label": label, class: "tabs" });
  const buttons = entries.map(([id, text, picture]) => {
    const button = h("button", { role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, onclick: () => show(id) }, icon(picture), h("span", null, text));
    panels[id].id = `panel-${id}`;
    panels[id].setAttribute("role", "tabpanel");
    panels[id].setAttribute("aria-labelledby", `tab-${id}`);
    return button;
  });
  const show = (id: string) => {
    entries.forEach(([name], index) => {
      const isIt = name === id;
      buttons[index].setAttribute("aria-selected", String(isIt));
      buttons[index].tabIndex = isIt ? 0 : -1;
      panels[name].hidden = !isIt;
    });
    document.body.dataset[label === "tools" ? "tool" : "side"] = id;
  };
  bar.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    if (at < 0) return;
    event.preventDefault();
    const next = buttons[(at + step + buttons.length) % buttons.length];
    next.click();
    next.focus();
  });
  bar.append(...buttons);
  return { bar, show };
}

// ---------------------------------------------------------------- light and dark

type Theme = "auto" | "light" | "dark";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function theme(): Theme {
  const found = localStorage.getItem("fairlead theme");
  return found === "light" || found === "dark" ? found : "auto";
}

function applyTheme(): void {
  const isDark = theme() === "dark" || (theme() === "auto" && prefersDark.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  const style = document.getElementById("run-style") as HTMLLinkElement;
  const wanted = `/assets/run-${isDark ? "dark" : "light"}.css`;
  if (style.getAttribute("href") !== wanted) style.setAttribute("href", wanted);
  changed("theme");
}

function switchTheme(): void {
  const isDark = document.documentElement.dataset.theme === "dark";
  const wanted: Theme = isDark ? "light" : "dark";
  localStorage.setItem("fairlead theme", wanted === (prefersDark.matches ? "dark" : "light") ? "auto" : wanted);
  applyTheme();
}

// ---------------------------------------------------------------- the frame

function frame(): void {
  const side: Record<string, HTMLElement> = { files: filesPanel(), learn: learnPanel() };
  const editor = editorPane();
  const tools: Record<string, HTMLElement> = {
    checks: checksPanel(),
    runs: runsPanel(),
    simulate: simulatorPanel(),
    graph: graphPanel(),
    growth: growthPanel(),
  };
  const left = tabs(SIDE, "side", side);
  const right = tabs(TOOLS, "tools", tools);
  const view = (name: string) => {
    document.body.dataset.view = name;
    phone.querySelectorAll("button").forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.view === name)));
  };
  const under = h("output", { class: "under-way" });
  const switcher = h("button", { class: "icon-only", onclick: switchTheme });
  const wide = h("button", { class: "icon-only desktop", title: "more room for the tools", "aria-label": "more room for the tools", "aria-pressed": "false", onclick: () => perform("wide") }, icon("wide"));
  const header = h(
    "header",
    { class: "top" },
    h("div", { class: "brand" }, h("img", { src: "/assets/icon.svg", alt: "", width: 22, height: 22 }), h("h1", null, "fairlead", h("span", { class: "soft" }, " studio"))),
    h("span", { class: "folder soft", title: "the folder of the models" }),
    h("span", { class: "grow" }),
    under,
    h("button", { class: "command-button", onclick: showPalette, title: "commands (Ctrl-K)" }, icon("keys"), h("span", null, "Commands"), h("kbd", null, "Ctrl K")),
    h("button", { class: "icon-only", onclick: () => perform("share"), title: "share", "aria-label": "share" }, icon("share")),
    wide,
    switcher,
  );
  const banner = h("div", { class: "banner", role: "alert", hidden: true });
  const phone = h(
    "nav",
    { class: "phone-bar", "aria-label": "areas" },
    [["files", "Models", "files"], ["editor", "Editor", "editor"], ["checks", "Check", "check"], ["runs", "Runs", "runs"], ["simulate", "Simulate", "simulate"], ["graph", "Graph", "graph"], ["growth", "Coverage", "growth"]].map(
      ([id, text, picture]) => h("button", { "data-view": id, "aria-pressed": "false", onclick: () => (id === "editor" ? view("editor") : perform(`tab-${id}`)) }, icon(picture), h("span", null, text)),
    ),
  );
  const app = document.getElementById("app")!;
  fill(
    app,
    header,
    banner,
    h(
      "main",
      null,
      h("nav", { class: "pane side", id: "pane-side", "aria-label": "models and tutorial" }, left.bar, Object.values(side)),
      editor,
      h("section", { class: "pane tools", id: "pane-tools", "aria-label": "tools" }, right.bar, Object.values(tools)),
    ),
    phone,
    h("div", { id: "messages", role: "status", "aria-live": "polite" }),
  );
  left.show("files");
  right.show("checks");
  view("editor");

  for (const [id, text] of SIDE) command(`tab-${id}`, `Show ${text.toLowerCase()}`, () => (left.show(id), view("files")));
  TOOLS.forEach(([id, text], index) =>
    command(
      `tab-${id}`,
      `Show ${text.toLowerCase()}`,
      () => {
        right.show(id);
        view(id);
        if (!document.getElementById("pane-tools")!.contains(document.activeElement)) document.getElementById(`tab-${id}`)?.focus();
      },
      `Alt-${index + 1}`,
    ),
  );
  command("show-editor", "Editor", () => view("editor"));
  command("editor", "Go to the editor", () => (view("editor"), focus()), "Alt-0");
  command("theme", "Switch between light and dark", switchTheme);
  command("wide", "More room for the tools", () => {
    const is = document.body.dataset.wide !== "yes";
    document.body.dataset.wide = is ? "yes" : "no";
    wide.setAttribute("aria-pressed", String(is));
  }, "Alt-W");
  command("outline", "Outline of the model", showOutline, "Ctrl-Shift-O");
  command("keys", "Keys", showKeys, "?");
  offerSharing();
  offerPalette();

  const showTheme = () => {
    const isDark = document.documentElement.dataset.theme === "dark";
    fill(switcher, icon(isDark ? "sun" : "moon"));
    switcher.title = isDark ? "light colours" : "dark colours";
    switcher.setAttribute("aria-label", switcher.title);
  };
  on(["theme"], showTheme);
  on(["jobs"], () => {
    const active = [...state.jobs.values()].filter((job) => job.stage === "running" || job.stage === "waiting").length;
    fill(under, active ? [h("span", { class: "spinner", "aria-hidden": "true" }), `${active} under way`] : null);
  });
  on(["connection"], () => {
    banner.hidden = state.isConnected;
    fill(banner, state.isConnected ? null : [h("strong", null, "The studio does not answer. "), "What you write stays in this page; start it again with fairlead studio, and open the address that it prints."]);
  });
  on(["files"], () => (header.querySelector(".folder")!.textContent = state.session.folder ?? ""));
}

async function showOutline(): Promise<void> {
  const found = await outline();
  const items: HTMLElement[] = [];
  const add = (entries: any[], depth: number) => {
    for (const one of entries) {
      const at = one.selectionRange?.start ?? one.range?.start ?? one.location?.range.start;
      items.push(
        h(
          "li",
          null,
          h("button", { class: `file indent${Math.min(depth, 5)}`, type: "button", onclick: () => (document.querySelector<HTMLDialogElement>("dialog.dialog")?.dispatchEvent(new Event("cancel")), goTo(at.line + 1, at.character + 1), focus()) }, h("span", { class: "code" }, one.name), h("span", { class: "soft" }, ` ${one.detail ?? ""}`)),
        ),
      );
      add(one.children ?? [], depth + 1);
    }
  };
  add(found, 0);
  await dialog("Outline", items.length ? h("ul", { class: "plain outline" }, items) : h("p", { class: "soft" }, "nothing is declared here"), [["", "Close"]]);
}

async function showKeys(): Promise<void> {
  const rows: [string, string][] = [
    ["Ctrl-K", "commands and models"],
    ["Ctrl-S", "save"],
    ["Ctrl-Enter", "check all assertions"],
    ["Alt-0", "editor"],
    ["Alt-1 … Alt-5", "assertions, runs, simulator, graph, coverage"],
    ["Alt-W", "more room for the tools"],
    ["F6, Shift-F6", "next part of the page, the one before"],
    ["1 … 9, ← →", "in the simulator: take an event, back, forward"],
    ["← → Space L", "in a run: step, play, to the loop"],
    ["F12, F2, Shift-Alt-F", "in the editor: definition, rename, format"],
    ["Ctrl-Space, Ctrl-.", "in the editor: completion, quick fix"],
  ];
  await dialog("Keys", h("table", { class: "values" }, h("tbody", null, rows.map(([key, does]) => h("tr", null, h("th", { scope: "row" }, h("kbd", null, key)), h("td", null, does))))), [["", "Close"]]);
}

function keys(event: KeyboardEvent): void {
  const mod = event.ctrlKey || event.metaKey;
  const typing = event.target instanceof HTMLElement && (event.target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName));
  const action =
    mod && !event.shiftKey && event.key.toLowerCase() === "k"
      ? "palette"
      : mod && event.shiftKey && event.key.toLowerCase() === "o"
        ? "outline"
        : mod && event.key.toLowerCase() === "s"
          ? "save"
          : mod && event.key === "Enter"
            ? "check-all"
            : event.altKey && !mod && /^Digit[0-5]$/.test(event.code)
              ? event.code === "Digit0"
                ? "editor"
                : `tab-${TOOLS[Number(event.code[5]) - 1][0]}`
              : event.altKey && !mod && event.code === "KeyW"
                ? "wide"
                : event.key === "?" && !typing
                  ? "keys"
                  : null;
  if (event.key === "F6") {
    event.preventDefault();
    nextPane(event.shiftKey ? -1 : 1);
  } else if (action && !event.defaultPrevented && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    perform(action);
  }
}

function nextPane(step: number): void {
  const panes = ["pane-side", "pane-editor", "pane-tools"].map((id) => document.getElementById(id)!).filter((one) => one.offsetParent !== null);
  const at = panes.findIndex((one) => one.contains(document.activeElement));
  const next = panes[(Math.max(at, 0) + step + panes.length) % panes.length];
  if (next.id === "pane-editor" && state.model) focus();
  else next.querySelector<HTMLElement>('[aria-selected="true"], button, input')?.focus();
}

// ---------------------------------------------------------------- how it begins

async function begin(): Promise<void> {
  frame();
  applyTheme();
  prefersDark.addEventListener("change", applyTheme);
  document.addEventListener("keydown", keys);
  addEventListener("beforeunload", () => void settle());
  addEventListener("pagehide", () => void settle());
  try {
    state.session = await api.session();
  } catch (error) {
    say((error as Error).message, "wrong");
    return;
  }
  connect();
  await list();
  new Live("/live", heard, (is) => {
    if (is !== state.isConnected) {
      state.isConnected = is;
      changed("connection");
      if (is) void again();
    }
  });
  const wanted = new URLSearchParams(location.search);
  const name = wanted.get("model") ?? state.session.first;
  if (name && state.files.some((one) => one.name === name)) {
    await open(name);
    const chosen = verdicts().find((one) => one.result.assertion === wanted.get("assertion") && one.result.fairness === wanted.get("fairness"));
    if (chosen) {
      choose(chosen);
      if (chosen.hasRun) perform("tab-runs");
    }
  } else if (name) say(`there is no model '${name}'`, "wrong");
  else if (state.files.length === 0) perform("tab-learn");
  document.body.dataset.ready = "yes";
}

/** The studio was away: what was typed meanwhile is sent, and what it knows is asked anew. */
async function again(): Promise<void> {
  try {
    state.session = await api.session();
  } catch (error) {
    if (error instanceof Refusal && error.status === 403) return;
  }
  await settle();
  await list();
  await refresh();
  say("the studio is back");
}

let asking: ReturnType<typeof setTimeout> | undefined;

function heard(message: Json): void {
  if (message.jobs) jobsKnown(message.jobs);
  if (message.job) jobChanged(message.job);
  if (message.verdicts !== undefined && message.verdicts === state.model?.name && asking === undefined) {
    asking = setTimeout(() => {
      asking = undefined;
      void refresh();
    }, 60);
  }
  if (message.changed) void changedOnDisk(message.changed);
  else if (message.files) void list();
}

void begin();
