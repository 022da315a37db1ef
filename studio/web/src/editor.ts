// The editor: one view, a state for each model that was opened; drafts go to the server as they are typed.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput } from "@codemirror/language";
import { lintKeymap, lintGutter, openLintPanel } from "@codemirror/lint";
import { LSPPlugin, formatDocument, jumpToDefinition, renameSymbol, findReferences } from "@codemirror/lsp-client";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Range, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { type Json, Refusal, api } from "./api";
import { dialog, fill, h, icon, say } from "./dom";
import { colours, languageOf } from "./languages";
import { language, request } from "./lsp";
import { changed, command, on, perform, state } from "./state";

interface Kept {
  editor: EditorState;
  version: string | null;
  saved: string | null;
}

const kept = new Map<string, Kept>();
let view: EditorView;
let pushing: ReturnType<typeof setTimeout> | undefined;
let pushed: Promise<void> = Promise.resolve();

// ---------------------------------------------------------------- marks: where a run is, what was never executed

const setMarks = StateEffect.define<{ layer: string; ranges: Range<Decoration>[] }>();
const layers = StateField.define<Record<string, DecorationSet>>({
  create: () => ({}),
  update(value, transaction) {
    let found = value;
    if (transaction.docChanged) {
      found = {};
      for (const [name, set] of Object.entries(value)) found[name] = set.map(transaction.changes);
    }
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        found = { ...found, [effect.value.layer]: Decoration.set(effect.value.ranges, true) };
      }
    }
    return found;
  },
  provide: (field) => [
    EditorView.decorations.from(field, (value) => value.run ?? Decoration.none),
    EditorView.decorations.from(field, (value) => value.coverage ?? Decoration.none),
  ],
});

export interface Place {
  line: number;
  column: number;
  endLine?: number;
  endColumn?: number;
  title?: string;
}

/** Marks places, with lines and columns from 1; for a run it scrolls to the first of them. */
export function mark(layer: "run" | "coverage", places: Place[]): void {
  if (!view) return;
  const text = view.state.doc;
  const ranges: Range<Decoration>[] = [];
  let first = -1;
  for (const place of places) {
    if (place.line < 1 || place.line > text.lines) continue;
    const line = text.line(place.line);
    const last = text.line(Math.min(place.endLine ?? place.line, text.lines));
    const from = Math.min(line.from + place.column - 1, line.to);
    const to = Math.min(Math.max(last.from + (place.endColumn ?? place.column) - 1, from), last.to);
    if (first < 0) first = from;
    const attributes: Record<string, string> = place.title ? { title: place.title } : {};
    ranges.push(Decoration.line({ class: `mark-line-${layer}` }).range(line.from));
    if (to > from) ranges.push(Decoration.mark({ class: `mark-${layer}`, attributes }).range(from, to));
  }
  const effects: StateEffect<unknown>[] = [setMarks.of({ layer, ranges })];
  if (first >= 0 && layer === "run") effects.push(EditorView.scrollIntoView(first, { y: "center" }));
  view.dispatch({ effects });
}

// ---------------------------------------------------------------- opening

const nonce = document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? "";

/** The state of an editor without a model. */
function nothing(): EditorState {
  return EditorState.create({ doc: "", extensions: [EditorView.cspNonce.of(nonce), EditorView.editable.of(false)] });
}

function fresh(name: string, uri: string, text: string): EditorState {
  const found = languageOf(name);
  const editing = found.id === "json" ? [] : [language().plugin(uri, found.id)];
  return EditorState.create({
    doc: text,
    extensions: [
      EditorView.cspNonce.of(nonce),
      lineNumbers(),
      foldGutter(),
      lintGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      autocompletion(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      layers,
      colours,
      found.support,
      EditorState.tabSize.of(4),
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": `text of ${name}` }),
      keymap.of([
        { key: "Mod-s", run: () => (perform("save"), true) },
        { key: "Mod-Enter", run: () => (perform("check-all"), true) },
        { key: "Mod-.", run: () => (void quickFix(), true) },
        ...closeBracketsKeymap,
        ...defaultKeymap.filter((one) => one.key !== "Mod-Enter"),
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...completionKeymap,
        ...lintKeymap,
      ]),
      editing,
      EditorView.updateListener.of((update) => {
        if (update.docChanged) typed();
      }),
    ],
  });
}

/** Opens a model, as it was last edited. */
export async function open(name: string, place?: Place): Promise<boolean> {
  if (state.model?.name !== name) {
    await settle();
    let found: Json;
    try {
      found = await api.file(name);
    } catch (error) {
      say((error as Error).message, "wrong");
      return false;
    }
    keep();
    const known = kept.get(name);
    const text: string = found.draft ?? found.text;
    const same = known !== undefined && known.editor.doc.toString() === text;
    state.model = {
      name,
      uri: found.uri,
      version: found.draft === null ? found.version : (found.base ?? found.version),
      isDirty: found.draft !== null,
    };
    kept.set(name, { editor: same ? known.editor : fresh(name, found.uri, text), version: found.version, saved: found.text });
    view.setState(kept.get(name)!.editor);
    remember(name);
    changed("model");
    if (found.draft !== null && found.version !== null && found.base !== found.version) conflict();
    await refresh();
  }
  if (place) {
    const line = view.state.doc.line(Math.min(Math.max(place.line, 1), view.state.doc.lines));
    const at = Math.min(line.from + Math.max(place.column - 1, 0), line.to);
    view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    view.focus();
  }
  return true;
}

/** Opens a text that is not on disk yet, such as an example. */
export async function openText(name: string, text: string): Promise<void> {
  await settle();
  const names = new Set(state.files.map((one) => one.name));
  let free = name;
  const [, stem, suffix] = /^(.*?)(\.[^.]*)$/.exec(name) ?? [name, name, ""];
  for (let number = 2; names.has(free); number++) {
    const there = await api.file(free).catch(() => null);
    if (there && (there.draft ?? there.text) === text) break;
    free = `${stem}-${number}${suffix}`;
  }
  try {
    if (!names.has(free)) await api.edit(free, text, null);
    await list();
    await open(free);
  } catch (error) {
    say((error as Error).message, "wrong");
  }
}

function keep(): void {
  const name = state.model?.name;
  const known = name === undefined ? undefined : kept.get(name);
  if (known) known.editor = view.state;
}

function remember(name: string): void {
  const address = new URL(location.href);
  address.searchParams.set("model", name);
  history_(address);
  document.title = `${name} – fairlead studio`;
}

function history_(address: URL): void {
  window.history.replaceState(null, "", address);
}

export async function list(): Promise<void> {
  try {
    state.files = (await api.files()).files;
    changed("files");
  } catch {
    // the connection tells
  }
}

// ---------------------------------------------------------------- edits

function typed(): void {
  if (!state.model) return;
  const known = kept.get(state.model.name);
  const was = state.model.isDirty;
  state.model.isDirty = view.state.doc.toString() !== known?.saved;
  if (was !== state.model.isDirty) changed("model");
  clearTimeout(pushing);
  pushing = setTimeout(() => void settle(), 250);
}

/** Sends what was typed, and waits until the server has it. */
export function settle(): Promise<void> {
  clearTimeout(pushing);
  const waiting = pushing;
  pushing = undefined;
  if (waiting === undefined || !state.model) return pushed;
  const { name, version } = state.model;
  const text = view.state.doc.toString();
  pushed = pushed
    .then(async () => {
      const found = await api.edit(name, text, version);
      if (state.model?.name === name) {
        state.questions = found;
        changed("questions");
      }
      if (!state.files.some((one) => one.name === name && one.draft === state.model?.isDirty)) await list();
    })
    .catch((error) => {
      if (!(error instanceof Refusal) || error.status !== 0) say((error as Error).message, "wrong");
      else pushing = setTimeout(() => void settle(), 2000); // it stays in the page until the server is back
    });
  return pushed;
}

/** Asks for the assertions again. */
export async function refresh(): Promise<void> {
  const name = state.model?.name;
  if (name === undefined) return;
  try {
    const found = await api.questions(name);
    if (state.model?.name === name) state.questions = found;
  } catch (error) {
    state.questions = { questions: [], others: [] };
  }
  changed("questions");
}

export function text(): string {
  return view.state.doc.toString();
}

export function uri(): string {
  return state.model?.uri ?? "";
}

/** Adds lines at the end of the model. */
export function append(lines: string): void {
  const end = view.state.doc.length;
  const before = end > 0 && !view.state.doc.toString().endsWith("\n") ? "\n" : "";
  view.dispatch({
    changes: { from: end, insert: `${before}${lines}\n` },
    selection: { anchor: end + before.length },
    scrollIntoView: true,
  });
}

/** Puts another text in the place of the whole model, as one edit that can be undone. */
export function replaceAll(text_: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text_ } });
}

export async function save(): Promise<void> {
  const model = state.model;
  if (!model) return;
  await settle();
  const text_ = view.state.doc.toString();
  try {
    const found = await api.save(model.name, text_, model.version);
    saved(model.name, text_, found.version);
    say(`saved ${model.name}`);
  } catch (error) {
    if (error instanceof Refusal && error.status === 409) conflict();
    else say((error as Error).message, "wrong");
  }
  await list();
}

function saved(name: string, text_: string, version: string): void {
  const known = kept.get(name);
  if (known) Object.assign(known, { version, saved: text_ });
  if (state.model?.name === name) {
    state.model.version = version;
    state.model.isDirty = view.state.doc.toString() !== text_;
    changed("model");
  }
}

let isAsking = false;

/** Somebody else has written the file: whose text shall count? */
async function conflict(): Promise<void> {
  const model = state.model;
  if (!model || isAsking) return;
  isAsking = true;
  const there = await api.file(model.name).catch(() => null);
  if (!there || there.text === null || there.text === view.state.doc.toString()) {
    isAsking = false;
    if (there && there.text !== null) saved(model.name, there.text, there.version);
    return;
  }
  const choice = await dialog(
    "The file has changed on disk",
    h("p", null, `Another program has written ${model.name} since you began to edit it. Both texts are still there.`),
    [
      ["theirs", "Take the one on disk"],
      ["mine", "Overwrite it with mine"],
      ["", "Decide later"],
    ],
  );
  isAsking = false;
  if (choice === "theirs") {
    replaceAll(there.text);
    saved(model.name, there.text, there.version);
    await api.edit(model.name, null, null);
    await refresh();
  } else if (choice === "mine") {
    model.version = there.version;
    await save();
  }
}

/** Files have changed on disk. */
export async function changedOnDisk(names: string[]): Promise<void> {
  await list();
  const model = state.model;
  if (!model || !names.includes(model.name)) return;
  const there = await api.file(model.name).catch(() => null);
  if (!there || there.version === model.version) return;
  if (there.text === null) {
    model.version = null;
    model.isDirty = true;
    changed("model");
  } else if (!model.isDirty) {
    replaceAll(there.text);
    saved(model.name, there.text, there.version);
    await refresh();
    say(`${model.name} has changed on disk, and was read again`);
  } else {
    await conflict();
  }
}

// ---------------------------------------------------------------- what the server can do about the text

async function quickFix(): Promise<void> {
  const plugin = LSPPlugin.get(view);
  if (!plugin) return;
  const at = plugin.toPosition(view.state.selection.main.head);
  const found = await request<Json[]>("textDocument/codeAction", {
    textDocument: { uri: uri() },
    range: { start: { line: at.line, character: 0 }, end: { line: at.line, character: 9999 } },
    context: { diagnostics: [], only: ["quickfix"] },
  });
  const fix = found?.find((one) => one.edit);
  if (!fix) return say("there is no quick fix on this line");
  const edits: Json[] = fix.edit.changes?.[uri()] ?? fix.edit.documentChanges?.[0]?.edits ?? [];
  view.dispatch({
    changes: edits.map((one) => ({
      from: plugin.fromPosition(one.range.start),
      to: plugin.fromPosition(one.range.end),
      insert: one.newText,
    })),
  });
  say(fix.title);
}

interface Entry {
  name: string;
  detail?: string;
  range: { start: { line: number; character: number } };
  selectionRange?: { start: { line: number; character: number } };
  children?: Entry[];
}

export async function outline(): Promise<Entry[]> {
  if (!state.model) return [];
  return (await request<Entry[]>("textDocument/documentSymbol", { textDocument: { uri: uri() } })) ?? [];
}

export function goTo(line: number, column = 1): void {
  const found = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
  const at = Math.min(found.from + column - 1, found.to);
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
}

export function focus(): void {
  view.focus();
}

// ---------------------------------------------------------------- the pane

export function editorPane(): HTMLElement {
  const box = h("div", { class: "editor-box" });
  const empty = h(
    "div",
    { class: "empty" },
    h("h2", null, "No model is open"),
    h("p", null, "Choose one from the list, or begin with the tutorial."),
    h("p", null, h("button", { class: "primary", onclick: () => perform("learn") }, "Open the tutorial")),
  );
  view = new EditorView({ parent: box, state: nothing() });
  const head = h("div", { class: "pane-head" });
  const show = () => {
    const model = state.model;
    box.hidden = !model;
    empty.hidden = Boolean(model);
    fill(
      head,
      h(
        "div",
        { class: "file-title" },
        model ? h("span", { class: "file-name", title: model.name }, model.name) : h("span", { class: "soft" }, "editor"),
        model?.isDirty ? h("span", { class: "badge", title: "not saved; kept for you all the same" }, "not saved") : null,
      ),
      model
        ? h(
            "div",
            { class: "tools-row" },
            h("button", { onclick: () => perform("outline"), title: "outline (Ctrl-Shift-O)", "aria-label": "outline" }, icon("menu")),
            h("button", { onclick: () => perform("format"), title: "put blanks in order (Shift-Alt-F)" }, "Format"),
            h("button", { onclick: () => perform("save"), disabled: !model.isDirty, title: "save (Ctrl-S)" }, icon("save"), "Save"),
            h("button", { class: "primary phone-only", onclick: () => (perform("check-all"), perform("tab-checks")) }, icon("play"), "Check"),
          )
        : null,
    );
  };
  on(["model"], show);
  show();
  command("save", "Save the model", save, "Ctrl-S");
  command("format", "Format the model", () => void formatDocument(view), "Shift-Alt-F");
  command("rename", "Rename the name at the cursor", () => void renameSymbol(view), "F2");
  command("definition", "Go to the definition", () => void jumpToDefinition(view), "F12");
  command("references", "Find all references", () => void findReferences(view), "Shift-F12");
  command("problems", "List the problems", () => void openLintPanel(view), "Ctrl-Shift-M");
  command("fix", "Quick fix on this line", quickFix, "Ctrl-.");
  command("discard", "Give up what is not saved", discard);
  return h("section", { class: "pane editor", id: "pane-editor", "aria-label": "editor" }, head, box, empty);
}

async function discard(): Promise<void> {
  const model = state.model;
  const known = model ? kept.get(model.name) : undefined;
  if (!model || !known) return;
  if ((await dialog("Give up what is not saved?", h("p", null, model.name), [["yes", "Give it up"], ["", "Keep it"]])) !== "yes") return;
  clearTimeout(pushing);
  pushing = undefined;
  await pushed;
  await api.edit(model.name, null, null);
  if (known.saved === null) {
    kept.delete(model.name);
    state.model = null;
    view.setState(nothing());
    changed("model");
  } else {
    replaceAll(known.saved);
    model.isDirty = false;
    clearTimeout(pushing);
    pushing = undefined;
    changed("model");
  }
  await list();
  await refresh();
}
