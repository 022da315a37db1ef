// Drives the studio as people do: `node tests/browser.mjs SCENARIO ADDRESS [SIZE] [COLOURS] [FOLDER]`.
// It fails on anything that the page complains about. With a folder, it leaves pictures there.
import axe from "axe-core";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [scenario, address, size = "desktop", colours = "light", folder = ""] = process.argv.slice(2);
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const isPhone = size === "phone";
const complaints = [];
const browser = await chromium.launch({
  executablePath: process.env.FAIRLEAD_CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: FLAGS,
});
const context = await browser.newContext({
  viewport: SIZES[size],
  colorScheme: colours,
  hasTouch: isPhone,
  acceptDownloads: true,
  reducedMotion: "reduce",
});
context.setDefaultTimeout(Number(process.env.FAIRLEAD_PATIENCE ?? 60000));
const page = await context.newPage();

/* Chromium keeps the style of text that is typed over as inline style, and playwright hides the cursor in pictures
   with a style of its own. The policy refuses both, which does no harm; neither comes from a script of the page. */
function isOurOwn(message) {
  return message.text().startsWith("Applying inline style") && !message.location().url.endsWith(".js");
}

page.on("console", (message) => message.type() === "error" && !isOurOwn(message) && complaints.push(`${message.text()} ${JSON.stringify(message.location())}`));
page.on("pageerror", (error) => complaints.push(error.message));
page.on("request", (request) => {
  const url = new URL(request.url());
  if (!["127.0.0.1", ""].includes(url.hostname) && !["data:", "blob:"].includes(url.protocol)) {
    complaints.push(`loads ${request.url()}`);
  }
});

async function ready() {
  await page.waitForSelector("body[data-ready]");
}

async function picture(name) {
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
}

/* as a person finds it: by the bar at the foot of a phone, or by the tab */
async function go(area) {
  if (isPhone) await page.click(`.phone-bar [data-view="${area}"]`);
  else if (area === "editor") await page.click(".cm-content");
  else await page.click(`#tab-${area}`);
}

async function verdict(row, column) {
  const cell = page.locator(`.matrix tbody tr:nth-child(${row}) td:nth-child(${column + 1}) button.cell`);
  return { cell, name: async () => (await cell.getAttribute("aria-label")) ?? "" };
}

async function until(row, column, wanted) {
  await page.waitForSelector(
    `.matrix tbody tr:nth-child(${row}) td:nth-child(${column + 1}) button[aria-label^="${wanted}"]`,
  );
}

async function accessible(where) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const serious = found.violations.filter((one) => ["serious", "critical"].includes(one.impact));
  const told = serious.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.html).join(" | ")}`);
  assert.deepEqual(told, [], `on ${where}`);
}

async function editorText() {
  return page.evaluate(() => Array.from(document.querySelectorAll(".cm-line"), (line) => line.textContent).join("\n"));
}

// ---------------------------------------------------------------- a newcomer's first ten minutes

async function newcomer() {
  await page.goto(address);
  await ready();
  // an empty folder begins with the tutorial
  await page.waitForSelector(".lesson h2");
  await picture("1-tutorial");
  await page.click(".lesson-steps .primary");
  await page.click('.lesson [data-model] button:has-text("Open printer.csp")');
  await page.waitForSelector('.cm-line:has-text("Worker(i)")');
  await picture("2-opened");

  // break it, and see the error
  await page.click('.cm-line:has-text("Office() = Worker(0)")');
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await page.waitForSelector(".cm-lintRange-error, .cm-lint-marker-error");
  await picture("3-error");
  await page.keyboard.type(");");
  await page.waitForSelector(".cm-lintRange-error", { state: "detached" });

  // check it: the second assertion is violated
  await go("checks");
  await page.click('#panel-checks button:has-text("Check all")');
  await until(1, 1, "holds");
  await until(2, 1, "violated");
  await until(3, 1, "violated");
  await (await verdict(2, 1)).cell.click();
  await picture("4-checked");
  await page.click('#panel-checks button:has-text("Show the run")');
  await page.waitForSelector(".run-body .fl-ready .fl-step");
  await page.locator(".run-body .fl-timeline").first().focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.locator(".run-body .fl-tools output").first().innerText(), /step 1 of 4/);
  if (!isPhone) await page.waitForSelector(".editor .mark-run");
  await picture("5-run");

  // fix it: looking and taking become one step
  if (isPhone) await go("editor");
  await page.click('.cm-line:has-text("look.i")');
  await page.keyboard.press("Home");
  const line = await page.locator('.cm-line:has-text("look.i")').innerText();
  for (let at = 0; at < line.indexOf("look.i"); at++) await page.keyboard.press("ArrowRight");
  for (let at = 0; at < "look.i -> ".length; at++) await page.keyboard.press("Delete");
  await go("checks");
  await page.waitForSelector(".matrix button.unasked");
  await page.click('#panel-checks button:has-text("Check all")');
  await until(2, 1, "holds");
  await until(3, 1, "violated");

  // advise, apply, check again
  await (await verdict(3, 1)).cell.click();
  await page.click('#panel-checks button:has-text("Advise")');
  await page.waitForSelector(".advice li button");
  await picture("6-advice");
  await page.click(".advice li button >> nth=0");
  await page.waitForSelector('section[aria-label="under fairness formulas"] .cell.good');
  await page.click('.matrix button[aria-label*="print.0 under process-level strong"]');
  await until(3, 5, "holds");

  // step through it
  await go("simulate");
  await page.click('#panel-simulate button:has-text("Begin")');
  await page.click('.event[data-event="take.0"]');
  await page.waitForSelector('.event[data-event="print.0"]');
  await page.click('#panel-simulate summary:has-text("Not enabled")');
  await page.click('.event[data-event="print.0"]');
  await page.waitForSelector('.event[data-event="give.0"]');
  await page.click('#panel-simulate button:has-text("Back")');
  await page.waitForSelector('.event[data-event="print.0"]');
  await page.fill('[aria-label="expression to watch"]', "printing + 1");
  await page.click('#panel-simulate section button:has-text("Watch")');
  await page.waitForSelector('section[aria-label="watched expressions"] td:has-text("2")');
  await page.fill('[aria-label="run until"]', "printing == 0");
  await page.click('#panel-simulate button:text-is("Run")');
  await page.waitForSelector('section[aria-label="watched expressions"] td:has-text("1")');
  await picture("7-simulator");
  await page.click('#panel-simulate button:has-text("Ask about this state")');
  await page.click('dialog button:has-text("Add to the model")');
  await page.waitForSelector('.matrix .code:has-text("reaches reached")', { state: "attached" });

  // draw it: as it was explored, and whole
  await page.click('#panel-simulate button:has-text("Draw")');
  await page.waitForSelector("#panel-graph svg.map .node");
  await page.selectOption('#panel-graph label:has-text("show") select', "auto");
  await page.waitForSelector("#panel-graph .drawing .node");
  assert.equal(await page.locator("#panel-graph .drawing .node").count(), 5);
  await page.fill('[aria-label="find in the graph"]', "busy=true");
  await page.waitForSelector("#panel-graph .node.hit");
  await picture("8-graph");

  // what is never executed, and how it grows
  await go("growth");
  await page.click('#panel-growth button:has-text("Count what is executed")');
  await page.waitForSelector('#panel-growth .lead:has-text("executed")');

  // save it, and share it
  await go("editor");
  await page.keyboard.press("Control+s");
  await page.waitForSelector('#messages:has-text("saved printer.csp")');
  await go("checks");
  await page.click('#panel-checks button:has-text("Check all")'); // the model has more to answer now
  await until(3, 1, "violated");
  await page.click('header [aria-label="share"]');
  await page.waitForSelector("dialog .share-list");
  const waiting = page.waitForEvent("download");
  await page.click('dialog button:has-text("Download the page")');
  const shared = await readFile(await (await waiting).path(), "utf8");
  assert.match(shared, /fl-timeline|fl-headline/);
  assert.doesNotMatch(shared, /<(?:script|link|img)[^>]+(?:src|href)=/);
}

// ---------------------------------------------------------------- without a mouse

async function keyboard() {
  await page.goto(address);
  await ready();
  const press = (...keys) => keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  await press("Control+k");
  await page.keyboard.type("peterson");
  await press("Enter");
  await page.waitForSelector('.cm-line:has-text("Process(i)")');
  await press("Alt+0", "Control+Enter");
  await until(1, 1, "violated");
  await press("Alt+1");
  // by Tab to the mark, and on to what it offers
  await reach((label) => label.startsWith("violated: System() |= []<> cs.0"));
  await press("Enter");
  await reach((label, text) => text === "Show the run");
  await press("Enter");
  await page.waitForSelector(".run-body .fl-ready .fl-step");
  await reach((label, text, role) => role === "grid");
  await press("Home", "ArrowRight", "ArrowRight", "l");
  assert.match(await page.locator(".run-body .fl-tools output").first().innerText(), /1 of 5 in the loop/);
  await press("Alt+3");
  await reach((label, text) => /^Begin/.test(text));
  await press("Enter");
  await page.waitForSelector(".event");
  await reach((label, text, role, element) => element.includes("event"));
  await press("1");
  await page.waitForSelector('#panel-simulate .lead:has-text("After 1 step")');
  await press("2");
  await page.waitForSelector('#panel-simulate .lead:has-text("After 2 steps")');
  await press("ArrowLeft");
  await page.waitForSelector('#panel-simulate .lead:has-text("After 1 step")');
  await press("Alt+4");
  await reach((label, text) => text === "Draw");
  await press("Enter");
  await page.waitForSelector("#panel-graph .drawing .node");
  await reach((label) => label.startsWith("graph;"));
  const before = await page.getAttribute("#panel-graph svg", "viewBox");
  await press("+", "ArrowLeft");
  assert.notEqual(await page.getAttribute("#panel-graph svg", "viewBox"), before);
  await press("0", "?");
  await page.waitForSelector('dialog[open]:has-text("Ctrl-Enter")');
  await press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  // the editor does not keep the focus: Tab leaves it
  await press("Alt+0", "Tab");
  assert.equal(await page.evaluate(() => document.activeElement.closest(".cm-content") === null), true);
  await press("F6");
  // completion, renaming and the definition, in the editor
  await press("Alt+0", "Control+End");
  await page.keyboard.type("Extra() = Proc");
  await press("Control+Space");
  await page.waitForSelector(".cm-tooltip-autocomplete li");
  await press("Escape", "Control+z", "Control+z");
}

/* presses Tab until the focus is on what is wanted */
async function reach(wanted) {
  for (let count = 0; count < 120; count++) {
    const [label, text, role, name] = await page.evaluate(() => {
      const at = document.activeElement;
      return [at.getAttribute("aria-label") ?? "", at.innerText?.trim() ?? "", at.getAttribute("role") ?? "", at.className?.toString() ?? ""];
    });
    if (wanted(label, text, role, name)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach it: ${wanted}`);
}

// ---------------------------------------------------------------- accessibility

async function accessibility() {
  await page.goto(`${address}&model=peterson.csp`);
  await ready();
  await accessible("the editor");
  await go("files");
  await accessible("the models");
  await go("checks");
  await accessible("an empty matrix");
  await page.click('#panel-checks button:has-text("Check all")');
  await until(1, 1, "violated");
  await (await verdict(1, 1)).cell.click();
  await accessible("a verdict");
  await page.click('#panel-checks button:has-text("Show the run")');
  await page.waitForSelector(".run-body .fl-ready");
  await accessible("a run");
  await go("simulate");
  await page.click('#panel-simulate button:has-text("Begin")');
  await page.waitForSelector(".event");
  await page.click(".event >> nth=0");
  await accessible("the simulator");
  await go("graph");
  await accessible("no graph yet");
  await page.click("#panel-graph button.primary");
  await page.waitForSelector("#panel-graph .drawing .node");
  await accessible("a graph");
  await go("growth");
  await page.click('#panel-growth button:has-text("Sweep")');
  await page.waitForSelector("#panel-growth .chart svg");
  await accessible("growth");
  await page.keyboard.press("Control+k");
  await page.waitForSelector("dialog.palette");
  await accessible("the palette");
  await page.keyboard.press("Escape");
  if (isPhone) await go("files");
  await page.click("#tab-learn");
  await page.waitForSelector(".lesson h2");
  await accessible("the tutorial");
}

// ---------------------------------------------------------------- graphs of every size

async function graphs() {
  await page.goto(`${address}&model=philosophers.csp`);
  await ready();
  // two runs side by side: the deadlock and the starvation begin alike
  await page.click('#panel-checks button:has-text("Check all")');
  await until(4, 1, "violated");
  await (await verdict(4, 1)).cell.click();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("side by side");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".compare tbody tr");
  const agree = await page.locator("#panel-runs .lead").innerText();
  const [, same, most] = /^(\d+) of (\d+) steps agree/.exec(agree);
  const plain = await page.locator(".compare td:not(.differs):not(.absent)").count();
  assert.equal(plain, 2 * Number(same));
  assert.equal((await page.locator(".compare tbody tr").count()) >= Number(most), true);
  for (const [count, drawn] of [[2, ".drawing .node"], [5, ".map .node"], [8, ".map .node"]]) {
    if (isPhone) await go("editor");
    await page.click('.cm-line:has-text("#define N")');
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+End");
    await page.keyboard.type(`#define N ${count};`);
    await go("graph");
    await page.waitForSelector("#panel-graph select option", { state: "attached" });
    await page.click('#panel-graph button:has-text("Draw")');
    const expected = { 2: "10 states", 5: "392 states", 8: "14,158 states" }[count];
    await page.waitForSelector(`#panel-graph .facts-line:has-text("${expected}")`);
    await page.waitForSelector(`#panel-graph ${drawn}`);
    await picture(`graph-${count}`);
  }
  assert.match(await page.locator("#panel-graph .facts-line").innerText(), /drawn as 2 states \(components\)/);
  await page.click('#panel-graph .node[data-state="1"]');
  await page.click('#panel-graph button:has-text("Show what is near")');
  await page.waitForSelector('#panel-graph .facts-line:has-text("near a state")');
  assert.equal(await page.locator("#panel-graph .map .node").count(), 60);
  // FSP: each process and each composite, with its alphabet
  await page.keyboard.press("Control+k");
  await page.keyboard.type("switch.lts");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.cm-line:has-text("SWITCH")', { state: "attached" });
  await go("graph");
  await page.waitForSelector('#panel-graph select option[value="SWITCH"]', { state: "attached" });
  for (const process of ["SWITCH", "||TWO"]) {
    await page.selectOption('#panel-graph label:has-text("process") select', process);
    await page.waitForSelector(`#panel-graph .facts-line:has-text("${process === "SWITCH" ? 2 : 4} states")`);
    await page.waitForSelector("#panel-graph .alphabet[open]");
  }
}

// ---------------------------------------------------------------- when things go wrong

async function trouble() {
  await page.goto(`${address}&model=peterson.csp`);
  await ready();
  await page.click('.cm-line >> nth=0');
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("// a remark that was never saved\n");
  await page.waitForSelector(".badge");
  await go("checks");
  const posted = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/api/jobs"));
  await page.click('#panel-checks button:has-text("Check all")');
  await (await posted).response();
  await page.reload(); // while jobs run
  await ready();
  assert.match(await editorText(), /a remark that was never saved/);
  await until(1, 1, "violated");
  // two runs side by side
  await page.click('.matrix button[aria-label^="check System() |= []<> cs.0 under strong global"]');
  await until(1, 6, "holds");
  process.stdout.write("kill\n"); // whoever has started the studio kills it now
  await page.waitForSelector(".banner:not([hidden])");
  await page.click('.cm-line >> nth=0');
  await page.keyboard.press("End");
  await page.keyboard.type(", nor this one");
  process.stdout.write("restart\n");
  const next = await new Promise((resolve) => process.stdin.once("data", (data) => resolve(String(data).trim())));
  complaints.length = 0; // the browser complains about connections that nobody answers
  const other = await context.newPage();
  await other.goto(next); // the address that the new studio printed: its token is in the cookie for both
  await page.waitForSelector(".banner", { state: "hidden" });
  await until(1, 1, "violated");
  await page.waitForTimeout(600);
  complaints.length = 0;
  await page.reload();
  await ready();
  assert.match(await editorText(), /never saved, nor this one/);
  await until(1, 6, "holds");
}

// ---------------------------------------------------------------- pictures for the manual

async function pictures() {
  await page.goto(`${address}&model=peterson.csp`);
  await ready();
  await go("checks");
  await page.click('#panel-checks button:has-text("Check all")');
  await until(1, 1, "violated");
  for (const column of ["event-level weak", "event-level strong", "process-level weak", "process-level strong", "strong global"]) {
    await page.click(`.matrix button[aria-label^="check System() |= []<> cs.0 under ${column}"]`);
  }
  await until(1, 6, "holds");
  await (await verdict(1, 1)).cell.click();
  await page.waitForSelector(".details");
  await page.click(".brand h1");
  await page.mouse.move(400, 20);
  await picture("studio");
  await page.click('#panel-checks button:has-text("Advise")');
  await page.waitForSelector(".advice li");
  await page.click('#panel-checks button:has-text("Show the run")');
  await page.waitForSelector(".run-body .fl-ready .fl-step");
  await page.locator(".run-body .fl-step").nth(4).click();
  await page.waitForTimeout(200);
  await picture("studio-run");
  await go("simulate");
  await page.click('#panel-simulate button:has-text("Begin")');
  for (const event of ["request.0", "request.1", "setlevel.1.1"]) await page.click(`.event[data-event="${event}"]`);
  await page.waitForSelector('#panel-simulate .lead:has-text("After 3 steps")');
  await page.click('#panel-simulate button:has-text("Back")');
  await page.waitForSelector('#panel-simulate .lead:has-text("After 2 steps")');
  await page.click('.event[data-event="setlevel.0.1"]');
  await page.waitForSelector('#panel-simulate .lead:has-text("After 3 steps")');
  await picture("studio-simulator");
  await go("graph");
  await page.click("#panel-graph button.primary");
  await page.waitForSelector("#panel-graph .drawing .node");
  await page.keyboard.press("Alt+w");
  await page.waitForTimeout(300);
  await picture("studio-graph");
}

const scenarios = { newcomer, keyboard, accessibility, graphs, trouble, pictures };
try {
  await scenarios[scenario]();
  assert.deepEqual(complaints, []);
  console.log("done");
} catch (error) {
  await picture("failed");
  console.error(error.stack ?? String(error));
  console.error("complaints:", complaints.slice(0, 5));
  process.exitCode = 1;
} finally {
  await browser.close();
}
process.exit(process.exitCode ?? 0);
