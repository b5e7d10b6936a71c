import { render } from "preact";
import { App } from "./app";
import { read } from "./data";
import { listen } from "./keys";
import { beginLive } from "./live";
import { data, followAddress } from "./state";
import "./style.css";

const LARGE = 300_000; // letters of data: before it reads more, the page shows what it was written with

/** Resolves when the reader sees what there is; a page in the background is not waited for. */
function painted(): Promise<void> {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
}

async function start(): Promise<void> {
  const root = document.getElementById("page")!;
  try {
    const given = document.getElementById("data")!;
    if (given.textContent.length > LARGE) await painted();
    const found = await read(given);
    if (found) data.value = found;
    else await beginLive();
  } catch (problem) {
    root.textContent = `The data in this page cannot be read: ${String(problem)}`;
    return;
  }
  root.textContent = "";
  followAddress();
  listen();
  render(<App />, root);
}

void start();
