/**
 * A module `vscode` without an editor: it keeps what the extension registers and shows, so that a test can look at
 * it and act as the user. Names that are not here are classes that do nothing, which the language client extends.
 */

import { readFileSync } from "node:fs";
import { pathToFileURL, fileURLToPath } from "node:url";

type Listener = (event: never) => unknown;

export class Emitter {
  readonly listeners = new Set<Listener>();
  readonly event = (listener: Listener, self?: unknown): Disposable => {
    const bound = (self === undefined ? listener : listener.bind(self)) as Listener;
    this.listeners.add(bound);
    return new Disposable(() => this.listeners.delete(bound));
  };
  fire(event?: unknown): void {
    for (const listener of this.listeners) listener(event as never);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

export class Disposable {
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
  constructor(readonly work: () => unknown) {}
  dispose(): void {
    this.work();
  }
}

export class Uri {
  static parse(text: string): Uri {
    return new Uri(text);
  }
  static file(path: string): Uri {
    return new Uri(pathToFileURL(path).href);
  }
  constructor(readonly text: string) {}
  get scheme(): string {
    return this.text.split(":")[0] ?? "";
  }
  get fsPath(): string {
    return fileURLToPath(this.text);
  }
  get path(): string {
    return this.fsPath;
  }
  toString(): string {
    return this.text;
  }
}

class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...given: unknown[]) {
    const [a, b, c, d] = given as [number, number, number, number];
    const [first, second] = given as [Position, Position];
    this.start = given.length === 4 ? new Position(a, b) : first;
    this.end = given.length === 4 ? new Position(c, d) : second;
  }
  get isEmpty(): boolean {
    return this.start.line === this.end.line && this.start.character === this.end.character;
  }
  with(change: { end: Position }): Range {
    return new Range(this.start, change.end);
  }
}

class CancellationTokenSource {
  private readonly emitter = new Emitter();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.emitter.fire();
  }
  dispose(): void {}
}

export interface FakeDocument {
  uri: Uri;
  languageId: string;
  version: number;
  getText(): string;
  lineAt(line: number): { range: Range };
}

export interface FakePanel {
  title: string;
  column: number;
  webview: { html: string; onDidReceiveMessage: Emitter["event"] };
  send(message: unknown): void;
  close(): void;
}

class Thing {
  readonly given: unknown[];
  constructor(...given: unknown[]) {
    this.given = given;
  }
}

/** A collection of test items, or the top of them. */
class Items {
  readonly map = new Map<string, Item>();
  constructor(private readonly parent?: Item) {}
  get size(): number {
    return this.map.size;
  }
  get(id: string): Item | undefined {
    return this.map.get(id);
  }
  add(item: Item): void {
    item.parent = this.parent;
    this.map.set(item.id, item);
  }
  delete(id: string): void {
    this.map.delete(id);
  }
  replace(items: Item[]): void {
    this.map.clear();
    items.forEach((item) => this.add(item));
  }
  [Symbol.iterator](): Iterator<[string, Item]> {
    return this.map[Symbol.iterator]();
  }
}

export class Item {
  readonly children = new Items(this);
  parent: Item | undefined;
  range: Range | undefined;
  canResolveChildren = false;
  constructor(
    readonly id: string,
    readonly label: string,
    readonly uri: Uri,
  ) {}
}

/** What a user sees and does. */
export class World {
  readonly commands = new Map<string, (...given: unknown[]) => unknown>();
  readonly panels: FakePanel[] = [];
  readonly messages: string[] = [];
  readonly picks: string[][] = [];
  readonly decorations: { uri: string; ranges: Range[] }[] = [];
  readonly outcomes: string[] = [];
  readonly profiles = new Map<string, (request: unknown, token: unknown) => Promise<void>>();
  readonly lenses: { provideCodeLenses(document: unknown, token: unknown): Promise<{ command: { title: string } }[]> }[] = [];
  readonly opened = new Emitter();
  readonly changed = new Emitter();
  readonly configured = new Emitter();
  readonly items = new Items();
  resolve: ((item?: Item) => Promise<void>) | undefined;
  status: { text?: string } = {};
  documents: FakeDocument[] = [];
  answer: (choices: string[]) => string | undefined = (choices) => choices[0];
  input = "";
  limits: Record<string, unknown> = {};

  constructor(
    readonly folder: string,
    readonly command: string[],
  ) {}

  open(path: string, languageId = "csp"): FakeDocument {
    const text = readFileSync(path, "utf8");
    const end = (line: number) => new Position(line, (text.split("\n")[line] ?? "").length);
    const document: FakeDocument = {
      uri: Uri.file(path),
      languageId,
      version: 1,
      getText: () => text,
      lineAt: (line) => ({ range: new Range(new Position(line, 0), end(line)) }),
    };
    this.documents.push(document);
    this.opened.fire(document);
    return document;
  }

  private editorOf(document: FakeDocument): object {
    return {
      document,
      viewColumn: 1,
      selection: { active: new Position(0, 0) },
      setDecorations: (_style: unknown, ranges: Range[]) => {
        if (ranges.length > 0) this.decorations.push({ uri: document.uri.toString(), ranges });
      },
      revealRange: () => undefined,
    };
  }

  private createPanel(title: string, column: number): unknown {
    const received = new Emitter();
    const disposed = new Emitter();
    const webview = { html: "", onDidReceiveMessage: received.event };
    const panel: FakePanel = { title, column, webview, send: (data) => received.fire(data), close: () => disposed.fire() };
    this.panels.push(panel);
    return { webview, onDidDispose: disposed.event, reveal: () => undefined, dispose: () => disposed.fire() };
  }

  private createRun(): object {
    const told = (kind: string) => (item: Item, message?: { message: string }) =>
      this.outcomes.push(`${kind} ${item.label}${message?.message === undefined ? "" : `: ${message.message}`}`);
    const kinds = ["passed", "failed", "errored", "skipped"];
    return { enqueued() {}, started() {}, end() {}, ...Object.fromEntries(kinds.map((kind) => [kind, told(kind)])) };
  }

  /** The module. */
  module(): unknown {
    const none = new Emitter().event;
    const nothing = new Disposable(() => undefined);
    const world = this;
    const settings: Record<string, unknown> = { "fairlead.server.command": this.command };
    const shown = (message: string, ...actions: string[]) => {
      world.messages.push(message);
      return Promise.resolve(actions.length > 0 && typeof actions[0] === "string" ? world.answer(actions) : undefined);
    };
    const known: Record<string, unknown> = {
      Uri, Position, Range, Disposable, CancellationTokenSource,
      EventEmitter: Emitter,
      version: "1.90.0",
      env: { appName: "test", language: "en", openExternal: () => Promise.resolve(true) },
      CodeActionKind: { Empty: kind(""), QuickFix: kind("quickfix") },
      ViewColumn: { One: 1, Beside: -2 },
      TestRunProfileKind: { Run: 1 },
      OverviewRulerLane: { Center: 2 },
      TextEditorRevealType: { InCenterIfOutsideViewport: 2 },
      ProgressLocation: { Window: 10, Notification: 15 },
      // what the extension names itself: a bundle copies the names that are there when it is loaded
      Location: Thing, ThemeColor: Thing, TestRunRequest: Thing,
      TestMessage: class {
        constructor(readonly message: string) {}
      },
      commands: {
        registerCommand(name: string, work: (...given: unknown[]) => unknown) {
          if (world.commands.has(name)) throw new Error(`command '${name}' already exists`);
          world.commands.set(name, work);
          return new Disposable(() => world.commands.delete(name));
        },
        executeCommand: (name: string, ...given: unknown[]) => world.commands.get(name)?.(...given),
      },
      workspace: {
        workspaceFolders: [{ uri: Uri.file(this.folder), name: "folder", index: 0 }],
        get textDocuments() {
          return world.documents;
        },
        onDidOpenTextDocument: this.opened.event,
        onDidChangeTextDocument: this.changed.event,
        onDidChangeConfiguration: this.configured.event,
        getConfiguration: (section?: string) => ({
          get: (name: string, other?: unknown) => {
            const limit = section === "fairlead.limits" ? world.limits[name] : undefined;
            return limit ?? settings[section === undefined ? name : `${section}.${name}`] ?? other;
          },
          inspect: () => undefined,
        }),
        createFileSystemWatcher: () => ({ onDidCreate: none, onDidChange: none, onDidDelete: none, dispose() {} }),
        findFiles: () => Promise.resolve(world.documents.map((document) => document.uri)),
        asRelativePath: (uri: Uri) => uri.path.split("/").pop(),
        openTextDocument: (given: Uri | { content: string }) =>
          Promise.resolve(
            given instanceof Uri
              ? world.documents.find((document) => document.uri.toString() === given.toString())
              : { ...given, languageId: "markdown" },
          ),
      },
      window: {
        tabGroups: { all: [], onDidChangeTabs: none, onDidChangeTabGroups: none },
        get activeTextEditor() {
          const document = world.documents.at(-1);
          return document === undefined ? undefined : world.editorOf(document);
        },
        get visibleTextEditors() {
          return world.documents.map((document) => world.editorOf(document));
        },
        showTextDocument: (document: FakeDocument & { content?: string }) => {
          if (document.content !== undefined) world.messages.push(document.content);
          return Promise.resolve(world.editorOf(document));
        },
        showErrorMessage: shown,
        showWarningMessage: shown,
        showInformationMessage: shown,
        showQuickPick: (choices: (string | { label: string })[]) => {
          const labels = choices.map((choice) => (typeof choice === "string" ? choice : choice.label));
          world.picks.push(labels);
          const index = labels.indexOf(world.answer(labels) ?? "");
          return Promise.resolve(choices[index]);
        },
        showInputBox: () => Promise.resolve(world.input),
        createTextEditorDecorationType: () => nothing,
        createWebviewPanel: (_kind: string, title: string, where: { viewColumn: number }) =>
          world.createPanel(title, where.viewColumn),
        createOutputChannel: () => ({ append() {}, appendLine() {}, show() {}, replace() {}, clear() {}, dispose() {} }),
        withProgress: (_options: unknown, work: (progress: unknown, token: unknown) => unknown) =>
          work({ report() {} }, new CancellationTokenSource().token),
      },
      languages: {
        match: () => 10,
        createDiagnosticCollection: () => ({ set() {}, delete() {}, clear() {}, dispose() {} }),
        createLanguageStatusItem: () => ((world.status = { dispose() {} } as object), world.status),
        registerCodeLensProvider: (_selector: unknown, provider: World["lenses"][number]) => {
          world.lenses.push(provider);
          return nothing;
        },
      },
      tests: {
        createTestController: () => ({
          items: world.items,
          set resolveHandler(work: World["resolve"]) {
            world.resolve = work;
          },
          createTestItem: (id: string, label: string, uri: Uri) => new Item(id, label, uri),
          createRunProfile: (label: string, _kind: number, run: (request: unknown, token: unknown) => Promise<void>) =>
            world.profiles.set(label, run),
          createTestRun: () => world.createRun(),
          dispose() {},
        }),
      },
      extensions: { all: [], onDidChange: none, getExtension: () => undefined },
    };
    return complete(known);
  }
}

/** A kind of code action. */
function kind(value: string): object {
  return { value, append: (part: string) => kind(value === "" ? part : `${value}.${part}`) };
}

/** Adds what is missing: in the module classes, in its parts functions, events where the name says so. */
function complete(known: Record<string, unknown>): unknown {
  const nothing = new Disposable(() => undefined);
  const parts = Object.fromEntries(
    Object.entries(Object.getOwnPropertyDescriptors(known)).map(([name, { value }]) => {
      if (!["workspace", "window", "languages", "commands", "extensions"].includes(name)) return [name, value];
      const part = new Proxy(value as object, {
        get: (inner, key) => (key in inner || typeof key === "symbol" ? Reflect.get(inner, key) : () => nothing),
      });
      return [name, part];
    }),
  );
  return new Proxy(parts, {
    has: () => true,
    get(inner, key) {
      if (key in inner || typeof key === "symbol" || key === "__esModule") return Reflect.get(inner, key);
      const made = class {
        constructor(...given: unknown[]) {
          const [first, second] = given;
          Object.assign(this, { range: first, command: second });
        }
      };
      Object.assign(inner, { [key]: made });
      return made;
    },
  });
}
