/** Pages for webviews: the markup of the server under a policy that lets no other script run. */

import type { Html, SimulationState } from "./protocol";

/** Lines that a page sends when a step is chosen: a file by its number, a line from 1, columns from 0. */
export type PlaceOfStep = [file: number, line: number, start: number, end: number];

/** What pages send. */
export type Message =
  | { type: "step"; step: number; places: PlaceOfStep[] }
  | { type: "tell"; command: string };

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** A message of a page, or undefined: what comes from a page is not trusted. */
export function messageOf(data: unknown): Message | undefined {
  if (typeof data !== "object" || data === null) {
    return undefined;
  }
  const given = data as Record<string, unknown>;
  if (given.type === "step" && typeof given.step === "number" && Array.isArray(given.places)) {
    return { type: "step", step: given.step, places: given.places.filter(isPlace) };
  }
  if (given.type === "tell" && typeof given.command === "string") {
    return { type: "tell", command: given.command };
  }
  return undefined;
}

function isPlace(given: unknown): given is PlaceOfStep {
  return Array.isArray(given) && given.length >= 3 && given.every((part) => Number.isInteger(part) && part >= 0);
}

/** Scripts cannot leave their element. */
function inScript(text: string): string {
  return text.replace(/<\/(?=script)/gi, "<\\/");
}

function inStyle(text: string): string {
  return text.replace(/<\/(?=style)/gi, "<\\/");
}

/** The style sheet knows a dark background by what the system prefers; here the theme of the editor counts. */
export function themed(style: string): string {
  return style.replaceAll("@media (prefers-color-scheme: dark)", "body.vscode-dark, body.vscode-high-contrast");
}

/** How the parts of the server's pages take the colours of the editor. */
const COLOURS = `
  html { font-size: 13px; }
  body { padding: 0 1rem 1rem; color: var(--vscode-foreground); background: var(--vscode-editor-background) !important; }
  body .fairlead { --paper: var(--vscode-editor-background); --ink: var(--vscode-foreground); }
  body .fairlead { max-width: none; font-size: 13px; padding: 0; }
  body .fairlead code { color: inherit; background: none; padding: 0; }
  /* the editor shows the text */
  body .fairlead .fl-listing, body .fairlead section:has(.fl-source) { display: none; }
  .bar { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin: .8rem 0; }
  .bar button, .events button {
    color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
    border: 0; border-radius: 3px; padding: .3rem .6rem; cursor: pointer; font: inherit;
  }
  .events button { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
  button:hover { filter: brightness(1.15); }
  button:disabled { opacity: .45; cursor: default; }
  .events { list-style: none; padding: 0; margin: .4rem 0; display: grid; gap: .3rem; }
  .events span { opacity: .75; margin-left: .6rem; }
  .bar input {
    flex: 1; min-width: 10rem; font: inherit; padding: .25rem .4rem; border: 1px solid var(--vscode-input-border, #8888);
    color: var(--vscode-input-foreground); background: var(--vscode-input-background);
  }
  .message { white-space: pre-wrap; border-left: 3px solid var(--vscode-inputValidation-warningBorder, #c90); padding-left: .6rem; }
`;

/** Passes on what is chosen on the page. */
const BRIDGE = `
  (function () {
    const editor = acquireVsCodeApi();
    document.addEventListener("fairlead-step", function (event) {
      editor.postMessage({ type: "step", step: event.detail.step, places: event.detail.places });
    });
    for (const button of document.querySelectorAll("[data-tell]")) {
      button.addEventListener("click", function () {
        editor.postMessage({ type: "tell", command: button.dataset.tell });
      });
    }
    const form = document.querySelector("form.bar");
    if (form) form.addEventListener("submit", function (event) {
      event.preventDefault();
      const command = form.querySelector("input").value.trim();
      if (command) editor.postMessage({ type: "tell", command: command });
    });
  })();
`;

/** A whole page; `nonce` is a number that only this page knows. */
export function page(title: string, nonce: string, html: Html | null, text: string, before = ""): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'`;
  const body = html === null ? `<pre>${escaped(text)}</pre>` : html.body;
  const script = html === null ? "" : `<script nonce="${nonce}">${inScript(html.script)}</script>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(title)}</title>
<style>${inStyle(themed(html?.style ?? ""))}</style>
<style>${COLOURS}</style>
</head>
<body>
${before}
<main class="fairlead fl-page">${body}</main>
<script nonce="${nonce}">${BRIDGE}</script>
${script}
</body>
</html>
`;
}

/** The controls of a simulation: the enabled events, and what else it can be told. */
export function controls(state: SimulationState, message: string): string {
  const events = state.enabled.map((step) => {
    const by = step.processes.length === 0 ? "" : ` by ${step.processes.join(", ")}`;
    const changes = step.changes.length === 0 ? "" : ` ${step.changes.join(", ")}`;
    return `<li><button data-tell="${step.number ?? 0}">${step.number ?? ""} ${escaped(step.event)}</button><span>${escaped(by + changes)}</span></li>`;
  });
  const next = state.replay?.next_event ?? null;
  const buttons = [
    button("back", "Back", state.step > 0),
    button("redo", "Redo", state.undone > 0),
    button("restart", "Restart", state.step > 0),
    button("random 10", "10 random steps", state.enabled.length > 0),
    ...(state.replay === undefined ? [] : [button("next", next === null ? "Next" : `Next: ${next}`, next !== null)]),
  ];
  return `<div class="bar">${buttons.join("")}</div>
<ul class="events">${events.join("")}</ul>
<form class="bar"><input placeholder="an event, its number, why EVENT, goto 3, random 5 …" aria-label="Command"><button>Do</button></form>
${message === "" ? "" : `<p class="message">${escaped(message)}</p>`}`;
}

function button(command: string, title: string, isOn: boolean): string {
  return `<button data-tell="${escaped(command)}"${isOn ? "" : " disabled"}>${escaped(title)}</button>`;
}
