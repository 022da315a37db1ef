/** The extension: a client of `fairlead lsp`, with panels for runs and simulations and a list of assertions. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { execute, sendSettings, type Shower, startClient } from "./client";
import { Explorer } from "./explorer";
import { Panels } from "./panels";
import type { Process, Questions, RunOrder } from "./pure/protocol";
import { summary } from "./pure/tests";

/** What lives as long as one server. */
interface Connected extends vscode.Disposable {
  client: LanguageClient;
  panels: Panels;
}

let connected: Connected | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const commands: [string, () => unknown][] = [
    ["fairlead.checkDocument", () => withEditor((client, editor) => execute(client, "fairlead.check", about(editor)))],
    ["fairlead.checkHere", () => withEditor((client, editor) => execute(client, "fairlead.check", here(editor)))],
    ["fairlead.adviseHere", () => withEditor((client, editor) => execute(client, "fairlead.advise", here(editor)))],
    ["fairlead.coverDocument", () => withEditor(showCoverage)],
    ["fairlead.openRun", () => withEditor(openRun)],
    ["fairlead.replayRun", () => withEditor(replayRun)],
    ["fairlead.simulate", () => withEditor(simulate)],
    ["fairlead.explain", explain],
    ["fairlead.cancelAll", () => connected?.client && execute(connected.client, "fairlead.cancel", {})],
    ["fairlead.restart", restart],
    ["fairlead.showLog", () => connected?.client.outputChannel.show(true)],
  ];
  for (const [name, work] of commands) {
    context.subscriptions.push(vscode.commands.registerCommand(name, () => guarded(work)));
  }
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("fairlead.server")) {
        void restart();
      } else if (event.affectsConfiguration("fairlead.limits") && connected !== undefined) {
        sendSettings(connected.client);
      }
    }),
  );
  await connect();
}

export async function deactivate(): Promise<void> {
  const last = connected;
  connected = undefined;
  last?.dispose();
  await last?.client.dispose();
}

async function restart(): Promise<void> {
  await deactivate();
  await connect();
}

async function connect(): Promise<void> {
  const showRun: Shower = async (argument) => connected?.panels.showRun(argument as RunOrder);
  const client = await startClient(new Map([["fairlead.showRun", showRun]]));
  if (client === undefined) {
    return;
  }
  const panels = new Panels(client);
  const explorer = new Explorer(client);
  const selector = [{ language: "csp" }, { language: "fsp" }];
  const status = vscode.languages.createLanguageStatusItem("fairlead.status", selector);
  status.name = "fairlead";
  status.command = { command: "fairlead.showLog", title: "Log" };

  async function update(document: vscode.TextDocument): Promise<void> {
    if (!isModel(document) || !client?.isRunning()) {
      return;
    }
    const order = { textDocument: { uri: document.uri.toString() } };
    const found = await client.sendRequest<Questions>("fairlead/questions", order);
    explorer.update(document.uri, found);
    if (vscode.window.activeTextEditor?.document === document) {
      status.text = summary(found);
      status.busy = found.questions.some((question) => question.underWay);
    }
  }

  const updateAll = () => {
    for (const document of vscode.workspace.textDocuments) {
      void update(document).catch(() => undefined); // the document may be gone
    }
  };
  let waiting: NodeJS.Timeout | undefined;
  const updateSoon = () => {
    clearTimeout(waiting);
    waiting = setTimeout(updateAll, 300);
  };
  const parts: vscode.Disposable[] = [
    client.onNotification("$/fairlead/verdicts", updateSoon),
    vscode.workspace.onDidOpenTextDocument(updateSoon),
    vscode.workspace.onDidChangeTextDocument((event) => isModel(event.document) && updateSoon()),
    vscode.window.onDidChangeActiveTextEditor(updateSoon),
    { dispose: () => clearTimeout(waiting) },
    panels,
    explorer,
    status,
  ];
  connected = { client, panels, dispose: () => parts.forEach((part) => part.dispose()) };
  updateSoon();
}

// ---------------------------------------------------------------- commands

async function openRun(client: LanguageClient, editor: vscode.TextEditor): Promise<void> {
  const order = await chooseRun(client, editor);
  if (order !== undefined) {
    await connected?.panels.showRun(order);
  }
}

async function replayRun(client: LanguageClient, editor: vscode.TextEditor): Promise<void> {
  const order = await chooseRun(client, editor);
  if (order !== undefined) {
    const title = `Run: ${order.assertion ?? ""}`;
    await connected?.panels.simulate(title, { textDocument: order.textDocument, replay: order });
  }
}

async function chooseRun(client: LanguageClient, editor: vscode.TextEditor): Promise<RunOrder | undefined> {
  const found = await client.sendRequest<Questions>("fairlead/questions", about(editor));
  const placed = found.questions.flatMap((question) =>
    question.verdicts.map((verdict) => ({ verdict, range: { range: question.range } })),
  );
  const items = [...placed, ...found.others.map((verdict) => ({ verdict, range: {} }))]
    .filter(({ verdict }) => verdict.hasRun)
    .map(({ verdict, range }) => {
      const { assertion, fairness, fair } = verdict.result;
      const order: RunOrder = { ...about(editor), ...range, assertion, fairness, ...(fair ? { fair } : {}) };
      return { label: assertion, description: verdict.title, order };
    });
  if (items.length === 0) {
    void vscode.window.showInformationMessage("There is no run yet. Check an assertion first.");
    return undefined;
  }
  const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder: "Which run?" });
  return chosen?.order;
}

async function simulate(client: LanguageClient, editor: vscode.TextEditor): Promise<void> {
  const found = await client.sendRequest<Process[]>("fairlead/processes", about(editor));
  if (found.length === 0) {
    void vscode.window.showInformationMessage("The model has no process that can be simulated.");
    return;
  }
  const names = found.map((process) => process.name);
  const name = names.length === 1 ? names[0] : await vscode.window.showQuickPick(names, { placeHolder: "Which process?" });
  if (name !== undefined) {
    await connected?.panels.simulate(`Simulation: ${name}`, { ...about(editor), process: name });
  }
}

async function showCoverage(client: LanguageClient, editor: vscode.TextEditor): Promise<void> {
  const found = await execute<{ view: { text: string } | null }>(client, "fairlead.coverage", about(editor));
  await showText(found.view?.text ?? "Nothing is known.", "plaintext");
}

async function explain(): Promise<void> {
  const name = await vscode.window.showInputBox({ prompt: "A code such as syntax, a notion such as esf, or a verdict" });
  if (name === undefined || connected === undefined) {
    return;
  }
  const found = await connected.client.sendRequest<string | null>("fairlead/explain", { name: name.trim() });
  if (found === null) {
    void vscode.window.showInformationMessage(`There is nothing to explain about '${name}'.`);
  } else {
    await showText(found, "markdown");
  }
}

async function showText(content: string, language: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
}

// ---------------------------------------------------------------- help for these

function isModel(document: vscode.TextDocument): boolean {
  return document.languageId === "csp" || document.languageId === "fsp";
}

function about(editor: vscode.TextEditor): { textDocument: { uri: string } } {
  return { textDocument: { uri: editor.document.uri.toString() } };
}

function here(editor: vscode.TextEditor): object {
  const { line, character } = editor.selection.active;
  return { ...about(editor), range: { start: { line, character }, end: { line, character } } };
}

async function withEditor(work: (client: LanguageClient, editor: vscode.TextEditor) => unknown): Promise<void> {
  // while a panel is active, the model beside it is meant
  const shown = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  const editor = shown.find((one) => one !== undefined && isModel(one.document));
  if (connected === undefined) {
    void vscode.window.showWarningMessage("The language server is not running.");
  } else if (editor === undefined) {
    void vscode.window.showInformationMessage("Open a model first.");
  } else {
    await work(connected.client, editor);
  }
}

/** Whatever goes wrong is shown as a message. */
async function guarded(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
  }
}
