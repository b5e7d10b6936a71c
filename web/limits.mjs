// Measures in Chromium what a reader waits for. node limits.mjs CHROMIUM FOLDER; limits.sh makes the pages.
import { chromium } from "playwright-core";

const [, , executablePath, folder] = process.argv;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--enable-precise-memory-info"] });

/** Milliseconds that a page has computed until now. Not the clock: what else runs on the machine does not count. */
async function computing(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => 1000 * (await session.send("Performance.getMetrics")).metrics.find((one) => one.name === "TaskDuration").value;
}

async function open(name, address = "") {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const spent = await computing(page);
  await page.goto(`file://${folder}/${name}.html${address}`);
  await page.waitForSelector("[role=tabpanel] *");
  const usable = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now())))));
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN);
  return { page, usable, paint, computed: await spent() };
}

/** Milliseconds that the page computes from a key to the next frame, of each of many keys; it turns back at both ends of a trace. */
async function pressed(page, times) {
  const spent = await computing(page);
  const found = [];
  let key = "ArrowLeft";
  for (let index = 0; index < times; index++) {
    const before = await spent();
    const moved = await page.evaluate((key) => {
      const address = location.hash;
      dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      return new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(location.hash !== address)))); // drawn
    }, key);
    if (moved) found.push((await spent()) - before);
    else key = key === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
  }
  return found.sort((one, other) => one - other);
}

const most = (times) => `${times[times.length >> 1].toFixed(1)}, ${times[Math.floor(0.95 * times.length)].toFixed(1)} ms`;
const say = (what, found, limit) => console.log(`${what.padEnd(52)} ${String(found).padStart(24)}   limit ${limit}`);

const both = (clock, computed) => `${clock.toFixed(0)} ms (computed ${computed.toFixed(0)})`;
const { page, usable, paint, computed } = await open("long");
say("10,000 steps, 50 variables: first paint", `${paint.toFixed(0)} ms`, "500 ms");
say("                            usable", both(usable, computed), "1,000 ms");
const tabs = await page.locator("[role=tab]").allInnerTexts();
for (const [index, text] of tabs.entries()) {
  await page.keyboard.press(String(index + 1));
  say(`a step back, median and 95 %, ${text.replace(/^\d\s*/, "")}`, most(await pressed(page, 100)), "33 ms");
}
await page.keyboard.press(String(tabs.findIndex((text) => text.includes("Trace")) + 1));
const spent = await computing(page);
const before = await spent();
const search = await page.evaluate(async () => {
  const field = document.getElementById("search");
  const start = performance.now();
  field.value = "v17";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  await new Promise((done) => setTimeout(done));
  document.body.getBoundingClientRect();
  return performance.now() - start;
});
say("search all steps", both(search, (await spent()) - before), "100 ms");
say("elements in the page", await page.evaluate(() => document.querySelectorAll("*").length), "3,000");
say("memory of scripts", `${((await page.evaluate(() => performance.memory.usedJSHeapSize)) / 1e6).toFixed(0)} MB`, "100 MB");
await page.close();

for (const [name, limit] of [["net", "1,500 ms"], ["graph", "1,000 ms"]]) {
  const opened = await open(name, `#tab=${name}`);
  const drawn = await opened.page.locator(name === "net" ? ".place, .transition" : ".state-node").count();
  say(`${name} of ${drawn} nodes: open, laid out and drawn`, both(opened.usable, opened.computed), limit);
  say("    a step, median and 95 %", most(await pressed(opened.page, 100)), "33 ms");
  await opened.page.close();
}
await browser.close();
