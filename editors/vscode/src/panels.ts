/** Panels that show runs and simulations, and the lines that their steps execute. */

import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { controls, messageOf, page, type PlaceOfStep } from "./pure/page";
import type { Begun, Location, Run, RunOrder, Shown, SimulationAnswer, SimulationState } from "./pure/protocol";

/** Marks lines in editors. */
class Marks implements vscode.Disposable {
  private readonly style = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.findMatchHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.findMatchForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });

  /** Shows places, the first of them in view, and no others; an empty one is the rest of its line. */
  async show(places: readonly Location[]): Promise<void> {
    this.clear();
    for (const uri of new Set(places.map((place) => place.uri))) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
      const ranges = places.filter((place) => place.uri === uri).map((place) => rangeOf(place, document));
      const options = { viewColumn: columnOf(uri), preserveFocus: true, preview: true };
      const editor = await vscode.window.showTextDocument(document, options);
      editor.setDecorations(this.style, ranges);
      const [first] = ranges;
      if (first !== undefined) {
        editor.revealRange(first.with({ end: first.start }), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
    }
  }

  clear(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      editor.setDecorations(this.style, []);
    }
  }

  dispose(): void {
    this.clear();
    this.style.dispose();
  }
}

function rangeOf({ range: { start, end } }: Location, document: vscode.TextDocument): vscode.Range {
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  return range.isEmpty ? range.with({ end: document.lineAt(start.line).range.end }) : range;
}

function columnOf(uri: string): vscode.ViewColumn {
  const open = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri);
  return open?.viewColumn ?? vscode.ViewColumn.One;
}

/** A panel with a page of the server. */
abstract class Panel implements vscode.Disposable {
  private readonly panel: vscode.WebviewPanel;
  private files: readonly string[] = [];
  private id = "";

  constructor(
    protected readonly client: LanguageClient,
    private readonly marks: Marks,
    kind: string,
    protected readonly title: string,
    uri: string,
    gone: () => void,
  ) {
    const where = { viewColumn: columnOf(uri) + 1, preserveFocus: true }; // beside the model
    const options = { enableScripts: true, localResourceRoots: [], enableFindWidget: true };
    this.panel = vscode.window.createWebviewPanel(kind, title, where, options);
    this.panel.webview.onDidReceiveMessage((data) => void this.receive(data));
    this.panel.onDidDispose(() => {
      this.marks.clear();
      this.ended();
      gone();
    });
  }

  reveal(): void {
    this.panel.reveal(undefined, true);
  }

  dispose(): void {
    this.panel.dispose();
  }

  /** The panel has gone. */
  protected ended(): void {}

  /** The page asks for something. */
  protected async told(_command: string): Promise<void> {}

  protected render(id: string, shown: Shown, before = ""): void {
    this.id = id;
    this.files = shown.html?.files ?? [];
    this.panel.webview.html = page(this.title, randomBytes(16).toString("base64"), shown.html, shown.text, before);
  }

  /** Shows where lines of a text are now that a run was found in; those that have changed are left out. */
  protected async showPlaces(id: string, places: readonly { file: string; line: number; column: number; endColumn: number }[]): Promise<void> {
    const found = await Promise.all(
      places.map((place) => this.client.sendRequest<Location | null>("fairlead/place", { id, ...place })),
    );
    await this.marks.show(found.filter((place) => place !== null));
  }

  private async receive(data: unknown): Promise<void> {
    const message = messageOf(data);
    if (message?.type === "step") {
      await this.showPlaces(this.id, message.places.flatMap((place) => this.placeOf(place)));
    } else if (message?.type === "tell") {
      await this.told(message.command);
    }
  }

  private placeOf([file, line, start, end]: PlaceOfStep): { file: string; line: number; column: number; endColumn: number }[] {
    const name = this.files[file];
    return name === undefined ? [] : [{ file: name, line, column: start + 1, endColumn: end + 1 }];
  }
}

class RunPanel extends Panel {
  show(run: Run): void {
    this.render(run.id, run);
  }
}

class SimulationPanel extends Panel {
  private simulation = "";
  private shown: (Shown & { state: SimulationState }) | undefined;
  private place = "";

  /** Begins; false, and nothing is left, if the server refuses. */
  async begin(order: object): Promise<boolean> {
    const begun = await this.client.sendRequest<Begun>("fairlead/simulation/begin", order);
    this.simulation = begun.simulation;
    this.place = begun.id;
    if (!("state" in begun)) {
      void vscode.window.showErrorMessage("message" in begun ? begun.message : "There is nothing to simulate.");
      this.dispose();
      return false;
    }
    this.update(begun);
    return true;
  }

  protected override async told(command: string): Promise<void> {
    const given = { simulation: this.simulation, command };
    this.update(await this.client.sendRequest<SimulationAnswer>("fairlead/simulation/tell", given));
  }

  protected override ended(): void {
    if (this.simulation !== "" && this.client.isRunning()) {
      const given = { simulation: this.simulation };
      // the server may be about to end, and its simulations with it
      this.client.sendNotification("fairlead/simulation/end", given).catch(() => undefined);
    }
  }

  private update(answer: SimulationAnswer): void {
    let message = "";
    if ("state" in answer) {
      this.shown = answer;
      void this.mark(answer.state);
    } else {
      message = "why" in answer ? answer.text : answer.message;
    }
    if (this.shown !== undefined) {
      this.render(this.place, this.shown, controls(this.shown.state, message));
    }
  }

  private async mark(state: SimulationState): Promise<void> {
    const places = state.positions.flatMap(({ file, line, column }) =>
      file === undefined || line === undefined || column === undefined ? [] : [{ file, line, column, endColumn: column }],
    );
    await this.showPlaces(this.place, places);
  }
}

/** All panels: a run that is open already is shown again, not twice. */
export class Panels implements vscode.Disposable {
  private readonly marks = new Marks();
  private readonly runs = new Map<string, RunPanel>();
  private readonly simulations = new Set<SimulationPanel>();

  constructor(private readonly client: LanguageClient) {}

  async showRun(order: RunOrder): Promise<void> {
    const run = await this.client.sendRequest<Run>("fairlead/run", order);
    const { assertion, fairness, verdict } = run.result;
    const title = `${assertion} [${fairness}] ${verdict}`;
    const key = `${order.textDocument.uri} ${assertion} ${fairness} ${run.result.fair ?? ""}`;
    let panel = this.runs.get(key);
    if (panel === undefined) {
      panel = new RunPanel(this.client, this.marks, "fairlead.run", title, order.textDocument.uri, () => this.runs.delete(key));
      this.runs.set(key, panel);
    }
    panel.show(run);
    panel.reveal();
  }

  async simulate(title: string, order: { textDocument: { uri: string }; [more: string]: unknown }): Promise<void> {
    const gone = () => this.simulations.delete(panel);
    const panel: SimulationPanel = new SimulationPanel(
      this.client,
      this.marks,
      "fairlead.simulation",
      title,
      order.textDocument.uri,
      gone,
    );
    this.simulations.add(panel);
    await panel.begin(order);
  }

  dispose(): void {
    for (const panel of [...this.runs.values(), ...this.simulations]) {
      panel.dispose();
    }
    this.marks.dispose();
  }
}
