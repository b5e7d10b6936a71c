import { render } from "preact";
import { App } from "./app";
import { read } from "./data";
import { listen } from "./keys";
import { beginLive } from "./live";
import { data, followAddress } from "./state";
import "./style.css";

async function start(): Promise<void> {
  const root = document.getElementById("page")!;
  try {
    const found = await read(document.getElementById("data")!);
    if (found) data.value = found;
    else await beginLive();
  } catch (problem) {
    root.textContent = `The data in this page cannot be read: ${String(problem)}`;
    return;
  }
  followAddress();
  listen();
  render(<App />, root);
}

void start();
