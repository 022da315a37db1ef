/** The bundled extension with a fake editor and the real language server. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import Module from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";

import { type FakePanel, type Item, World } from "./fake";

const COMMAND: string[] = JSON.parse(process.env.FAIRLEAD_LSP ?? "[]");
const skip = COMMAND.length === 0 ? "FAIRLEAD_LSP does not say how to start the server" : false;
const MODEL = `var free = true;
Clerk(i) = [free] take.i{free = false;} -> stamp.i -> put.i{free = true;} -> Clerk(i);
Office() = Clerk(0) ||| Clerk(1);
#assert Office() deadlockfree;
#assert Office() |= []<> stamp.0;
`;
const bundle = resolve(__dirname, "../../dist/extension.js");
const folder = mkdtempSync(join(tmpdir(), "fairlead-extension-"));
const path = join(folder, "office.csp");
writeFileSync(path, MODEL);

interface Extension {
  activate(context: { subscriptions: unknown[] }): Promise<void>;
  deactivate(): Promise<void>;
}

function extensionIn(world: World): Extension {
  const loader = Module as unknown as { _load(name: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  const fake = world.module();
  loader._load = (name, ...rest) => (name === "vscode" ? fake : load.call(Module, name, ...rest));
  delete require.cache[bundle];
  try {
    return require(bundle);
  } finally {
    loader._load = load;
  }
}

async function until<T>(wanted: () => T | undefined | false, what: string): Promise<T> {
  for (let attempt = 0; attempt < 1200; attempt += 1) {
    const found = wanted();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
  const seen = [...world.messages.slice(-3), ...world.outcomes];
  throw new Error(`it does not become so that ${what}; seen: ${seen.join("; ")}`);
}

const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
const world = new World(folder, COMMAND);
let extension: Extension;

function run(name: string, ...given: unknown[]): Promise<unknown> {
  const command = world.commands.get(name);
  assert.ok(command, `there is no command ${name}`);
  return Promise.resolve(command(...given));
}

function panel(title: string): FakePanel | undefined {
  return world.panels.findLast((one) => one.title.includes(title));
}

function fileItem(): Item {
  const item = [...world.items][0]?.[1];
  assert.ok(item);
  return item;
}

before(async () => {
  process.on("unhandledRejection", (error) => console.error(error));
  if (skip) return;
  extension = extensionIn(world);
  await extension.activate({ subscriptions: [] });
  assert.deepEqual(world.messages, []);
  world.open(path);
});

after(async () => {
  if (!skip) await extension.deactivate();
  rmSync(folder, { recursive: true, force: true });
});

test("every command of the manifest is there, and none is there twice", { skip }, () => {
  const manifest = require(resolve(__dirname, "../../package.json"));
  for (const { command } of manifest.contributes.commands) assert.ok(world.commands.has(command), command);
  // those of the server are registered by the language client, under names of their own
  for (const name of ["check", "checkUnder", "advise", "showRun"]) assert.ok(world.commands.has(`fairlead.${name}`));
});

test("assertions are in the test explorer", { skip }, async () => {
  await until(() => [...world.items][0]?.[1].children.size === 2, "the file has two items");
  assert.deepEqual([...fileItem().children].map(([id]) => id), ["Office() deadlockfree", "Office() |= []<> stamp.0"]);
  assert.equal(fileItem().children.get("Office() deadlockfree")?.range?.start.line, 3);
  await until(() => world.status.text === "2 not checked", "the status counts");
});

test("a run of the test explorer gives verdicts", { skip }, async () => {
  await world.profiles.get("Check")?.({ include: undefined, exclude: [] }, token);
  assert.ok(world.outcomes.includes("passed Office() deadlockfree"), world.outcomes.join());
  assert.ok(world.outcomes.some((told) => told.startsWith("failed Office() |= []<> stamp.0: ✗ violated")));
  await until(() => world.status.text === "1 hold, 1 violated", "the status counts");
});

test("a run under all notions tells every verdict", { skip }, async () => {
  world.outcomes.length = 0;
  const liveness = fileItem().children.get("Office() |= []<> stamp.0");
  await world.profiles.get("Check under every notion")?.({ include: [liveness], exclude: [] }, token);
  const told = await until(() => world.outcomes.find((one) => one.startsWith("failed")), "there is an outcome");
  assert.match(told, /holds under esf/);
  assert.match(told, /violated under ewf/);
});

test("verdicts that are found at a lens come into the test explorer", { skip }, async () => {
  world.outcomes.length = 0;
  const provider = await until(() => world.lenses.at(-1), "there are lenses");
  const lenses = await provider.provideCodeLenses(world.documents[0], token);
  const titles = lenses.map((lens) => lens.command.title);
  assert.ok(titles.includes("check all") && titles.includes("show run"), titles.join());
  world.answer = (choices) => (choices.includes("psf") ? "psf" : choices[0]);
  const place = { line: 4, character: 0 };
  const about = { textDocument: { uri: world.documents[0]?.uri.toString() }, range: { start: place, end: place } };
  await run("fairlead.checkUnder", about);
  assert.ok(world.picks.some((choices) => choices.includes("psf") && choices.includes("all")), "it asks for a notion");
  await until(() => world.outcomes.some((told) => told.startsWith("passed Office() |= []<> stamp.0")), "it passes");
});

test("a run is shown, and its steps mark lines", { skip }, async () => {
  world.answer = (choices) => choices[0];
  await run("fairlead.openRun");
  const shown = await until(() => panel("Office() |= []<> stamp.0"), "there is a panel");
  assert.match(shown.webview.html, /Content-Security-Policy/);
  assert.match(shown.webview.html, /take\.1/);
  assert.equal(shown.column, 2);
  // as the script of the page sends it: file 0, the second line, from column 18
  shown.send({ type: "step", step: 1, places: [[0, 2, 18, 24]] });
  const mark = await until(() => world.decorations.at(-1), "a line is marked");
  assert.ok(mark.uri.endsWith("office.csp"));
  const [range] = mark.ranges;
  assert.deepEqual([range?.start.line, range?.start.character, range?.end.character], [1, 18, 24]);
  shown.send({ type: "step", step: 1, places: [[7, 2, 18, 24], "x"] }); // there is no such file
  const count = world.panels.length;
  await run("fairlead.openRun");
  assert.equal(world.panels.length, count, "it is not opened twice");
});

test("a process is simulated", { skip }, async () => {
  world.answer = (choices) => choices.find((choice) => choice.includes("Office")) ?? choices[0];
  await run("fairlead.simulate");
  const shown = await until(() => panel("Simulation: Office()"), "there is a panel");
  await until(() => shown.webview.html.includes('data-tell="1">1 take.0'), "the enabled events are there");
  shown.send({ type: "tell", command: "1" });
  await until(() => shown.webview.html.includes('data-tell="1">1 stamp.0'), "a step is taken");
  const marks = await until(() => world.decorations.at(-1), "lines are marked");
  assert.ok(marks.ranges.some((range) => range.start.line === 1 && range.end.line === 1));
  shown.send({ type: "tell", command: "why take.1" });
  await until(() => shown.webview.html.includes("is false"), "it is said why");
  shown.send({ type: "tell", command: "dance" });
  await until(() => shown.webview.html.includes("neither a command nor an enabled event"), "it is refused");
  shown.send({ type: "tell", command: "back" });
  await until(() => shown.webview.html.includes('data-tell="1">1 take.0'), "the step is taken back");
  shown.close();
});

test("a run is stepped through in the simulator", { skip }, async () => {
  world.answer = (choices) => choices[0];
  await run("fairlead.replayRun");
  const shown = await until(() => panel("Run: Office()"), "there is a panel");
  await until(() => shown.webview.html.includes('data-tell="next">Next: take.1'), "the next step is there");
  shown.send({ type: "tell", command: "next" });
  await until(() => shown.webview.html.includes('data-tell="next">Next: stamp.1'), "it goes on");
});

test("topics are explained, and coverage is shown", { skip }, async () => {
  world.input = "esf";
  await run("fairlead.explain");
  await until(() => world.messages.some((text) => text.includes("Event-level strong fairness")), "it is explained");
  world.input = "no such thing";
  await run("fairlead.explain");
  await until(() => world.messages.some((text) => text.includes("nothing to explain about 'no such thing'")), "it is not");
  await run("fairlead.coverDocument");
  await until(() => world.messages.some((text) => text.startsWith("coverage of Office()")), "coverage is shown");
});

test("limits of the settings reach the server", { skip }, async () => {
  world.limits = { maxStates: 1 };
  world.configured.fire({ affectsConfiguration: (name: string) => name === "fairlead.limits" });
  world.outcomes.length = 0;
  const item = fileItem().children.get("Office() deadlockfree");
  await world.profiles.get("Check")?.({ include: [item], exclude: [] }, token);
  assert.match(world.outcomes.join(), /errored Office\(\) deadlockfree: \? unknown/);
  world.limits = {};
});

test("the server is started again, and its processes are gone in the end", { skip }, async () => {
  await run("fairlead.restart");
  await run("fairlead.checkDocument");
  await extension.deactivate();
  const children = () => execFileSync("ps", ["-o", "args=", "--ppid", String(process.pid)], { encoding: "utf8" });
  await until(() => !children().includes("fairlead"), "no process is left");
  await run("fairlead.checkDocument");
  assert.ok(world.messages.includes("The language server is not running."));
});

test("a server that is not there is explained", { skip }, async () => {
  const elsewhere = new World(folder, ["no-such-program-at-all"]);
  const other = extensionIn(elsewhere);
  await other.activate({ subscriptions: [] });
  assert.ok(elsewhere.messages.some((text) => text.includes("pip install")), elsewhere.messages.join());
  await other.deactivate();
});
