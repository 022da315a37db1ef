// Bundles the extension into dist, and its tests into build.
import { build } from "esbuild";
import { readdirSync } from "node:fs";

const common = { bundle: true, platform: "node", target: "node18", format: "cjs", logLevel: "warning" };

await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  external: ["vscode"],
  minify: process.argv.includes("--minify"),
});
if (!process.argv.includes("--minify")) {
  const tests = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: "build/test",
    external: ["vscode", "vscode-oniguruma", "vscode-textmate"],
  });
}
