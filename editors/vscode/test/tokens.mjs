// Reads {"grammar": …, "text": …} as lines of JSON, and writes for each the tokens that TextMate finds: [start, end, scope].
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const { Registry, INITIAL, parseRawGrammar } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
const registry = new Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async (scope) => {
    const path = new URL(`../syntaxes/${scope === "source.fsp" ? "fsp" : "csp"}.tmLanguage.json`, import.meta.url);
    return parseRawGrammar(readFileSync(path, "utf8"), path.pathname);
  },
});

for await (const line of createInterface({ input: process.stdin })) {
  const { grammar, text } = JSON.parse(line);
  const loaded = await registry.loadGrammar(grammar);
  const found = [];
  let stack = INITIAL;
  let offset = 0;
  for (const row of text.split("\n")) {
    const { tokens, ruleStack } = loaded.tokenizeLine(row, stack);
    for (const { startIndex, endIndex, scopes } of tokens) {
      const end = Math.min(endIndex, row.length);
      if (end > startIndex) found.push([offset + startIndex, offset + end, scopes.at(-1)]);
    }
    stack = ruleStack;
    offset += row.length + 1;
  }
  process.stdout.write(JSON.stringify(found) + "\n");
}
