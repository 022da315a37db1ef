/** The parts that need no editor. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { controls, escaped, messageOf, page, themed } from "../src/pure/page";
import type { Question, Questions, Verdict } from "../src/pure/protocol";
import { serverCommand, serverSettings, startFailure } from "../src/pure/settings";
import { fingerprint, itemsOf, lastVerdicts, outcomeOf, summary } from "../src/pure/tests";

const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 5 } };

function verdict(kind: Verdict["result"]["verdict"], fairness = "none"): Verdict {
  return { title: `${kind} under ${fairness}`, hasRun: false, result: { assertion: "P() |= a", fairness, verdict: kind } };
}

function question(text: string, ...verdicts: Verdict[]): Question {
  return { text, range, hasFormula: true, underWay: false, verdicts };
}

test("the command of the server comes from the settings", () => {
  assert.deepEqual(serverCommand(["fairlead", "lsp"], undefined), { command: "fairlead", args: ["lsp"] });
  const inFolder = serverCommand(["${workspaceFolder}/.venv/bin/fairlead", "lsp", "${workspaceFolder}"], "/a b");
  assert.deepEqual(inFolder, { command: "/a b/.venv/bin/fairlead", args: ["lsp", "/a b"] });
});

test("settings that make no sense are explained", () => {
  for (const wrong of [undefined, null, "fairlead lsp", [], ["fairlead", 7], [""]]) {
    assert.match(serverCommand(wrong, "/a") as string, /^fairlead\.server\.command must/);
  }
  assert.match(serverCommand(["${workspaceFolder}/x"], undefined) as string, /no folder is open/);
  assert.match(startFailure({ command: "fairlead", args: ["lsp"] }, "ENOENT"), /'fairlead lsp': ENOENT.*pip install/);
});

test("no limit is null", () => {
  const limits = { timeout: null, maxMemory: "1G", maxStates: 7 };
  assert.deepEqual(serverSettings(limits), { limits });
});

test("assertions with the same text are two items", () => {
  const found: Questions = { questions: [question("a"), question("b"), question("a")], others: [] };
  assert.deepEqual(itemsOf(found).map(({ id, label }) => [id, label]), [["a", "a"], ["b", "b"], ["a (2)", "a"]]);
});

test("the worst verdict counts, and what is unknown has not passed", () => {
  assert.equal(outcomeOf([]), undefined);
  const kinds = (...all: Verdict["result"]["verdict"][]) => outcomeOf(all.map((kind) => verdict(kind)))?.kind;
  assert.equal(kinds("holds"), "passed");
  assert.equal(kinds("holds", "violated"), "failed");
  assert.equal(kinds("holds", "unknown"), "errored");
  assert.equal(kinds("violated", "error"), "errored");
  assert.deepEqual(lastVerdicts(question("a", verdict("holds"), verdict("violated"))), [verdict("violated")]);
  assert.notEqual(fingerprint([verdict("holds")]), fingerprint([verdict("holds", "ewf")]));
});

test("the status counts", () => {
  assert.equal(summary({ questions: [], others: [] }), "no assertions");
  const running = { ...question("d"), underWay: true };
  const questions = [question("a", verdict("holds")), question("b", verdict("violated")), question("c"), running];
  assert.equal(summary({ questions, others: [] }), "1 hold, 1 violated, 2 not checked (checking …)");
});

test("what comes from a page is looked at", () => {
  const places = [[0, 1, 2, 3], [0, -1, 2, 3], ["x", 1, 2, 3], 7, [0, 1.5, 2, 3], [1, 2, 3]];
  assert.deepEqual(messageOf({ type: "step", step: 1, places }), { type: "step", step: 1, places: [[0, 1, 2, 3], [1, 2, 3]] });
  assert.deepEqual(messageOf({ type: "tell", command: "a" }), { type: "tell", command: "a" });
  for (const wrong of [null, 7, {}, { type: "step" }, { type: "tell", command: 7 }, { type: "open", file: "/etc" }]) {
    assert.equal(messageOf(wrong), undefined);
  }
});

test("a page lets no script run but its own two", () => {
  const html = { body: "<p>a</p>", style: "p {} </style><script>x</script>", script: 'f("</script>")', files: [] };
  const text = page("<title>", "abc", html, "");
  assert.match(text, /default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-abc'/);
  assert.equal(text.match(/<script nonce="abc">/g)?.length, 2);
  assert.equal(text.match(/<\/script>/g)?.length, 3); // the third one is text inside of the style
  assert.equal(text.match(/<\/style>/g)?.length, 2);
  assert.match(text, /<title>&#60;title&#62;<\/title>/);
  assert.match(page("t", "n", null, "a < b"), /<pre>a &#60; b<\/pre>/);
});

test("whatever a model calls its events, they are text", () => {
  const step = { number: 1, event: '<img src=x onerror="y">', processes: ['"P"'], changes: ["x: 0 → 1"] };
  const state = { step: 1, undone: 0, status: "running", enabled: [step], positions: [] };
  const shown = controls(state, "<b>");
  assert.ok(!shown.includes("<img") && !shown.includes("<b>") && shown.includes("x: 0 → 1"));
  assert.match(shown, /data-tell="back">Back/);
  assert.match(shown, /data-tell="redo" disabled/);
  assert.ok(!shown.includes('data-tell="next"'));
  const replay = { next: 1, next_event: "a" };
  assert.match(controls({ ...state, replay }, ""), /data-tell="next">Next: a</);
  assert.equal(escaped(`<&'">`), "&#60;&#38;&#39;&#34;&#62;");
});

test("the theme of the editor decides what is dark", () => {
  const style = "@media (prefers-color-scheme: dark) { .fairlead { --ink: #fff; } }";
  assert.equal(themed(style), "body.vscode-dark, body.vscode-high-contrast { .fairlead { --ink: #fff; } }");
});

