import { useState } from "preact/hooks";
import { changeText } from "./diff";
import { traceToItf } from "./itf";
import { live, savedPage } from "./live";
import { current, trace } from "./state";
import type { Trace } from "./trace";

function download(name: string, kind: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: kind }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function asText(one: Trace): string {
  const lines = [`${current.value.reference} ${current.value.parameters ?? ""}`.trim()];
  for (let step = 0; step < one.length; step++) {
    const words = step === 0 ? one.names.map((name) => `${name}=${one.valueText(name, 0)}`) : one.changes(step).map(changeText);
    lines.push(`${String(step).padStart(5)}  ${one.label(step)}  ${words.join(", ") || "(nothing changes)"}`);
    if (one.loop === step) lines.push(`       loop starts at step ${step}`);
  }
  return `${lines.join("\n")}\n`;
}

/** The drawing that is on the screen, with the colours it has there. */
function picture(): string | null {
  const drawn = document.querySelector("main svg");
  if (!drawn) return null;
  const copy = drawn.cloneNode(true) as SVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const style = document.createElementNS("http://www.w3.org/2000/svg", "style");
  style.textContent = document.querySelector("style")?.textContent ?? "";
  copy.prepend(style);
  return new XMLSerializer().serializeToString(copy);
}

/** What a trace shows, in words. */
function shownBy(one: Trace): string {
  const verdict = current.value.verdicts.find((other) => other.view !== undefined && current.value.traces[other.view] === one.data);
  return verdict ? `${verdict.kind} '${verdict.name}' is ${verdict.status}` : "a run that was simulated";
}

export function Save() {
  const [open, setOpen] = useState(false);
  const choices: [string, () => void][] = [];
  const now = trace.value;
  if (now) {
    choices.push(["trace as text", () => download("trace.txt", "text/plain", asText(now))]);
    choices.push(["trace as ITF, for other viewers", () => download("trace.itf.json", "application/json", JSON.stringify(traceToItf(now, current.value.reference, shownBy(now)), null, 2))]);
  }
  if (live.value && current.value.report) choices.push(["the result as one page (HTML)", () => void savedPage().then((text) => text && download("result.html", "text/html", text))]);
  choices.push(["data of this page (JSON)", () => download("view.json", "application/json", JSON.stringify(current.value))]);
  choices.push(["picture of this view (SVG)", () => { const drawn = picture(); if (drawn) download("view.svg", "image/svg+xml", drawn); }]);
  return (
    <span class="menu">
      <button aria-expanded={open} onClick={() => setOpen(!open)}>save</button>
      {open && (
        <div class="choices">
          {choices.map(([name, act]) => (
            <button onClick={() => { setOpen(false); act(); }}>{name}</button>
          ))}
        </div>
      )}
    </span>
  );
}
