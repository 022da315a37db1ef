// Takes the pictures of the page docs/how-to/editors.md: VS Code in a browser, with the extension and the server.
//
// It needs code-server (VS Code for browsers; its version must fit that of Node), playwright-core and chromium. As
// its pictures change with each of these, `make` does not run it. In an empty folder:
//
//   npm install code-server playwright-core
//   node CHECKOUT/docs/screenshots/editor.mjs CHECKOUT/dist/fairlead-VERSION.vsix COMMAND-OF-FAIRLEAD
//
// A second of waiting here and there lets animations end; what is waited for is always on the page.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [extension, fairlead = "fairlead"] = process.argv.slice(2);
const pictures = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(process.cwd(), "package.json"));
const { chromium } = require("playwright-core");
const server = require.resolve("code-server/out/node/entry.js");
const port = 8391;

const MODEL = `// Two clerks share a stamp.
var free = true;

Clerk(i) = [free] take.i{free = false;} -> stamp.i -> put.i{free = true;} -> Clerk(i);
Office() = Clerk(0) ||| Clerk(1);

#assert Office() deadlockfree;
#assert Office() |= []<> stamp.0;
`;
const home = mkdtempSync(join(tmpdir(), "fairlead-pictures-"));
const models = join(home, "office");
mkdirSync(join(home, "data/User"), { recursive: true });
mkdirSync(models);
writeFileSync(join(models, "stamp.csp"), MODEL);
const settings = {
  "editor.fontSize": 14,
  "editor.minimap.enabled": false,
  "editor.hover.delay": 100,
  "fairlead.server.command": [fairlead.includes("/") ? resolve(fairlead) : fairlead, "lsp"],
  "telemetry.telemetryLevel": "off",
  "window.commandCenter": false,
  "workbench.activityBar.location": "top",
  "workbench.colorTheme": "Default Light Modern",
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
};
writeFileSync(join(home, "data/User/settings.json"), JSON.stringify(settings));

const places = ["--user-data-dir", join(home, "data"), "--extensions-dir", join(home, "extensions")];
const config = ["--config", join(home, "config.yaml")];
spawnSync("node", [server, ...config, ...places, "--install-extension", resolve(extension)], { stdio: "inherit" });
const options = ["--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-workspace-trust", "--disable-telemetry"];
const running = spawn("node", [server, ...config, ...places, ...options, models], { stdio: "ignore" });
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1180, height: 620 } });
page.setDefaultTimeout(90_000);

const pause = (seconds = 1) => page.waitForTimeout(1000 * seconds);
const keys = async (...pressed) => {
  for (const key of pressed) await page.keyboard.press(key);
};
const lens = (title) => page.locator(".codelens-decoration a", { hasText: title }).first();
const word = (text) => page.locator(".view-line span span", { hasText: text });

async function picture(name) {
  await pause();
  await page.screenshot({ path: join(pictures, `editor-${name}.png`) });
}

async function command(title) {
  await keys("F1");
  await page.waitForSelector(".quick-input-box input");
  await page.keyboard.type(title);
  await pause();
  await keys("Enter");
  await pause();
}

async function goTo(line, column) {
  await keys("Control+g");
  await page.waitForSelector(".quick-input-box input");
  await page.keyboard.type(`${line}:${column}`);
  await keys("Enter");
  await pause(0.5);
}

/** The page inside a panel. */
async function inside(selector) {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    for (const frame of page.frames()) {
      if ((await frame.locator(selector).count().catch(() => 0)) > 0) return frame;
    }
    await pause(0.5);
  }
  throw new Error(`no panel has ${selector}`);
}

try {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if (await page.goto(`http://127.0.0.1:${port}/?folder=${models}`).catch(() => null)) break;
    await pause(0.5);
  }
  await page.waitForSelector(".monaco-workbench");
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: "stamp.csp" }).dblclick();
  await pause(2);
  await keys("Control+b");
  await lens("check all").waitFor();

  // an error in place
  await goTo(4, 13);
  await page.keyboard.type("e");
  await page.waitForSelector(".squiggly-error");
  await goTo(4, 14);
  await keys("Control+k", "Control+i"); // shows the hover
  await page.locator(".monaco-hover", { hasText: "Quick Fix" }).waitFor();
  await picture("error");
  await keys("Escape", "Control+z");
  await page.waitForSelector(".squiggly-error", { state: "detached" });

  // completion
  await goTo(8, 34);
  await keys("Enter");
  await page.keyboard.type("#assert Office() |= [](take.0 -> <> st");
  const proposals = page.locator(".suggest-widget", { hasText: "stamp" });
  await proposals.waitFor({ timeout: 5000 }).catch(() => keys("Control+Space"));
  await proposals.waitFor();
  await picture("completion");
  await keys("Escape");
  for (let typed = 0; typed < 2; typed += 1) await keys("Control+Shift+k");
  await keys("End", "Enter");

  // hover
  await goTo(5, 13);
  await keys("Control+k", "Control+i");
  await page.locator(".monaco-hover", { hasText: "process Clerk" }).waitFor();
  await picture("hover");
  await keys("Escape");

  // verdicts
  await lens("check all").click();
  await lens("show run").waitFor();
  await command("View: Show Testing");
  await page.locator(".test-explorer .monaco-list-row").first().waitFor();
  await page.locator(".test-explorer .monaco-list-row").first().click();
  await keys("ArrowRight");
  await picture("verdicts");
  await keys("Control+b");

  // a run, step by step
  await lens("show run").click();
  const run = await inside("table.fl-run, .fl-strip, table");
  for (let step = 0; step < 2; step += 1) {
    await run.locator("button", { hasText: "next" }).click();
    await pause();
  }
  await picture("run");

  // a simulation
  await command("fairlead: Simulate a Process");
  await page.keyboard.type("Office");
  await pause();
  await keys("Enter");
  const simulation = await inside("[data-tell='restart']");
  await simulation.locator(".events button").first().click();
  await pause(2);
  await (await inside("[data-tell='restart']")).locator(".events button").first().waitFor();
  await picture("simulation");
} finally {
  await browser.close();
  running.kill();
  await new Promise((ended) => running.once("exit", ended));
  rmSync(home, { recursive: true, force: true });
}
