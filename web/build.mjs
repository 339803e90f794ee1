// Builds the page: one folder of hashed, minified, compressed files. `make web` runs it with the Node that .venv brings.
//   node build.mjs OUT
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, extname, join, relative } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = import.meta.dirname;
const out = process.argv[2];
const assets = join(out, "assets");
const COMPRESSED = new Set([".js", ".mjs", ".css", ".html", ".svg", ".txt", ".json", ".wasm", ".ttf", ".pfb", ".bcmap"]);

rmSync(out, { recursive: true, force: true });
mkdirSync(assets, { recursive: true });

const pdfjs = join(here, "node_modules/pdfjs-dist");
const { version } = JSON.parse(readFileSync(join(pdfjs, "package.json"), "utf8"));
const parts = `pdf-${version}`;
// What PDF.js loads by itself, and only for the PDFs that need it.
for (const folder of ["cmaps", "standard_fonts", "wasm"]) {
  cpSync(join(pdfjs, folder), join(assets, parts, folder), { recursive: true });
}
// The legacy build brings along what browsers of some years ago lack.
cpSync(join(pdfjs, "legacy/build/pdf.worker.min.mjs"), join(assets, parts, "worker.mjs"));

const { metafile } = await build({
  entryPoints: { page: join(here, "src/main.tsx"), style: join(here, "src/style.css") },
  outdir: assets,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  minify: true,
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { PDF_PARTS: JSON.stringify(`assets/${parts}/`) },
  legalComments: "linked",
  metafile: true,
  logLevel: "warning",
});
const made = (entry) =>
  "assets/" + basename(Object.keys(metafile.outputs).find((file) => metafile.outputs[file].entryPoint?.endsWith(entry)));

cpSync(join(here, "icon.svg"), join(assets, "icon.svg"));
const samples = join(out, "samples");
mkdirSync(samples);
const offered = readdirSync(join(here, "../samples")).filter((name) => [".txt", ".pdf", ".xml", ".nxml"].includes(extname(name)));
for (const name of offered) cpSync(join(here, "../samples", name), join(samples, name));
writeFileSync(join(samples, "index.json"), JSON.stringify(offered.sort()));

/** What the page's script imports, and what that imports: asked for beside it, not after it. */
const needed = (file) =>
  metafile.outputs[file].imports.filter(({ kind }) => kind === "import-statement").flatMap(({ path }) => [path, ...needed(path)]);
const main = Object.keys(metafile.outputs).find((file) => metafile.outputs[file].entryPoint?.endsWith("src/main.tsx"));
const ahead = [...new Set(needed(main))].map((file) => `<link rel="modulepreload" href="assets/${basename(file)}">`);

const html = readFileSync(join(here, "index.html"), "utf8")
  .replace("{ahead}", ahead.join("\n"))
  .replace("{style}", made("src/style.css"))
  .replace("{page}", made("src/main.tsx"));
writeFileSync(join(out, "index.html"), html);

const files = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
const kept = {};
for (const path of files(out)) {
  const content = readFileSync(path);
  const tag = createHash("sha256").update(content).digest("hex").slice(0, 20);
  kept[relative(out, path).replaceAll("\\", "/")] = tag;
  if (!COMPRESSED.has(extname(path)) || statSync(path).size < 600) continue;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  writeFileSync(`${path}.br`, brotliCompressSync(content, quality));
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
}
// The function serves these names and no others.
writeFileSync(join(out, "files.json"), JSON.stringify(kept, null, 1));
