/** Assertions in the test explorer, with their verdicts. */

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";

import { execute } from "./client";
import type { Question, Questions, Verdict } from "./pure/protocol";
import { fingerprint, itemsOf, lastVerdicts, outcomeOf } from "./pure/tests";

const PATTERN = "**/*.{csp,lts}";

export class Explorer implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("fairlead", "fairlead: assertions");
  private readonly told = new WeakMap<vscode.TestItem, string>();
  private readonly watcher = vscode.workspace.createFileSystemWatcher(PATTERN);

  constructor(private readonly client: LanguageClient) {
    const { Run } = vscode.TestRunProfileKind;
    this.controller.resolveHandler = (item) => this.resolve(item);
    this.controller.createRunProfile("Check", Run, (request, token) => this.run(request, token, {}), true);
    const all = { fairness: "all" };
    this.controller.createRunProfile("Check under every notion", Run, (request, token) => this.run(request, token, all));
    this.watcher.onDidCreate((uri) => this.fileItem(uri));
    this.watcher.onDidDelete((uri) => this.controller.items.delete(uri.toString()));
  }

  dispose(): void {
    this.watcher.dispose();
    this.controller.dispose();
  }

  /** Shows what is asserted in a document now, and verdicts that were found elsewhere. */
  update(uri: vscode.Uri, found: Questions): void {
    const file = this.fileItem(uri);
    this.fill(file, found);
    const fresh: [vscode.TestItem, Verdict[]][] = [];
    for (const [item, question] of this.pairs(file, found)) {
      const verdicts = lastVerdicts(question);
      const known = this.told.get(item);
      if (verdicts.length > 0 && known !== fingerprint(verdicts)) {
        fresh.push([item, verdicts]);
      }
    }
    if (fresh.length > 0) {
      const request = new vscode.TestRunRequest(fresh.map(([item]) => item));
      const run = this.controller.createTestRun(request, "verdicts", false);
      for (const [item, verdicts] of fresh) {
        this.tell(run, item, verdicts);
      }
      run.end();
    }
  }

  private fileItem(uri: vscode.Uri): vscode.TestItem {
    const known = this.controller.items.get(uri.toString());
    if (known !== undefined) {
      return known;
    }
    const item = this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    item.canResolveChildren = true;
    this.controller.items.add(item);
    return item;
  }

  private async resolve(item: vscode.TestItem | undefined): Promise<void> {
    if (item === undefined) {
      for (const uri of await vscode.workspace.findFiles(PATTERN, "**/{node_modules,.venv}/**")) {
        this.fileItem(uri);
      }
    } else if (item.uri !== undefined) {
      this.fill(item, await this.questions(item.uri));
    }
  }

  private questions(uri: vscode.Uri): Promise<Questions> {
    return this.client.sendRequest<Questions>("fairlead/questions", { textDocument: { uri: uri.toString() } });
  }

  private fill(file: vscode.TestItem, found: Questions): void {
    const known = file.children;
    file.children.replace(
      itemsOf(found).map(({ id, label, range }) => {
        const item = known.get(id) ?? this.controller.createTestItem(id, label, file.uri);
        item.range = new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
        return item;
      }),
    );
  }

  private *pairs(file: vscode.TestItem, found: Questions): Generator<[vscode.TestItem, Question]> {
    const items = itemsOf(found);
    for (const [index, question] of found.questions.entries()) {
      const item = file.children.get(items[index]?.id ?? "");
      if (item !== undefined) {
        yield [item, question];
      }
    }
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken, more: object): Promise<void> {
    const run = this.controller.createTestRun(request);
    const excluded = new Set(request.exclude ?? []);
    const chosen: vscode.TestItem[] = [];
    for (const item of request.include ?? [...this.controller.items].map(([, file]) => file)) {
      if (item.parent === undefined && item.uri !== undefined) {
        this.fill(item, await this.questions(item.uri));
        chosen.push(...[...item.children].map(([, child]) => child));
      } else {
        chosen.push(item);
      }
    }
    const wanted = chosen.filter((item) => !excluded.has(item));
    for (const item of wanted) {
      run.enqueued(item);
    }
    await Promise.all(wanted.map((item) => this.check(run, item, token, more)));
    run.end();
  }

  private async check(
    run: vscode.TestRun,
    item: vscode.TestItem,
    token: vscode.CancellationToken,
    more: object,
  ): Promise<void> {
    if (item.uri === undefined || item.range === undefined || token.isCancellationRequested) {
      run.skipped(item);
      return;
    }
    run.started(item);
    const started = Date.now();
    const { start } = item.range;
    const place = { line: start.line, character: start.character };
    const order = { textDocument: { uri: item.uri.toString() }, range: { start: place, end: place }, ...more };
    try {
      const before = new Set((await this.verdictsOf(item)).map((verdict) => JSON.stringify(verdict.result)));
      await execute(this.client, "fairlead.check", order, token);
      const now = await this.verdictsOf(item);
      const fresh = now.filter((verdict) => !before.has(JSON.stringify(verdict.result)));
      this.tell(run, item, "fairness" in more ? fresh : fresh.slice(-1), Date.now() - started);
    } catch (error) {
      if (token.isCancellationRequested) {
        run.skipped(item);
      } else {
        run.errored(item, new vscode.TestMessage(error instanceof Error ? error.message : String(error)));
      }
    }
  }

  private async verdictsOf(item: vscode.TestItem): Promise<Verdict[]> {
    if (item.uri === undefined || item.parent === undefined) {
      return [];
    }
    const found = await this.questions(item.uri);
    for (const [other, question] of this.pairs(item.parent, found)) {
      if (other.id === item.id) {
        return question.verdicts;
      }
    }
    return [];
  }

  private tell(run: vscode.TestRun, item: vscode.TestItem, verdicts: Verdict[], duration?: number): void {
    const outcome = outcomeOf(verdicts);
    this.told.set(item, fingerprint(verdicts));
    if (outcome === undefined) {
      run.errored(item, new vscode.TestMessage("There is no verdict."));
      return;
    }
    const message = new vscode.TestMessage(outcome.message);
    if (item.uri !== undefined && item.range !== undefined) {
      message.location = new vscode.Location(item.uri, item.range);
    }
    if (outcome.kind === "passed") {
      run.passed(item, duration);
    } else {
      run[outcome.kind](item, message, duration);
    }
  }
}
