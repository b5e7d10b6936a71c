// Builds one HTML file: script and style inside, and a policy that lets this script run and nothing else happen.
import { createHash } from "node:crypto";
import preact from "@preact/preset-vite";
import { defineConfig, type Plugin } from "vite";

const DATA = "<!--DATA-->"; // where sweepcheck puts what the page shows; the page takes its place

function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      let script = "";
      let style = "";
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk") script += part.code;
        else if (name.endsWith(".css")) style += part.source;
        delete bundle[name];
      }
      script = script.replaceAll("</script", "<\\/script").trim();
      const hash = createHash("sha256").update(script).digest("base64");
      const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data: blob:`;
      const source = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer"><title>sweepcheck</title>',
        `<style>${style.trim()}</style></head>`,
        `<body><div id="page">${DATA}</div>`,
        `<script>${script}</script></body></html>`,
        "",
      ].join("\n");
      this.emitFile({ type: "asset", fileName: "page.html", source });
    },
  };
}

export default defineConfig({
  plugins: [preact({ devToolsEnabled: false, prefreshEnabled: false }), oneFile()],
  build: {
    target: "es2022",
    outDir: "../src/sweepcheck/report",
    emptyOutDir: false,
    cssCodeSplit: false,
    modulePreload: false,
    rollupOptions: { input: "src/main.tsx", output: { format: "iife" } },
  },
});
