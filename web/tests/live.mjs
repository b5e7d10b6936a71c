// Uses the live page in Chromium. Arguments: the browser, the address of a server, the file of its model. Prints what is not as it should be.
// The server's model counts in `n`, which is its progress too, and does not end.
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [, , executablePath, address, model, pictures] = process.argv;
const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args: quiet });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const wrong = [];

function expect(name, found, wanted) {
  const fits = wanted instanceof RegExp ? wanted.test(found) : JSON.stringify(found) === JSON.stringify(wanted);
  if (!fits) wrong.push(`${name}: ${JSON.stringify(found)} is not ${wanted}`);
}

page.on("pageerror", (error) => wrong.push(`live: ${error.message}`));
page.on("request", (request) => request.url().startsWith(new URL(address).origin) || wrong.push(`live: asks for ${request.url()}`));
const tabs = () => page.locator("[role=tab]").allInnerTexts().then((all) => all.map((text) => text.replace(/^\d\s*/, "").trim()));
const sentence = () => page.locator(".sentence").first().innerText();

await page.goto(address);
await page.waitForSelector(".offers button");
expect("the token", await page.evaluate(() => location.href.includes("token")), false);
await page.locator(".offers li button").first().click();
await page.waitForFunction(() => document.querySelector(".sentence")?.textContent.startsWith("Step 1"));
expect("why", await page.locator(".why").innerText(), /read\s+n = 0, there since the start/);
await page.keyboard.press("x");
await page.waitForFunction(() => document.querySelector(".sentence")?.textContent.startsWith("Step 2"));
await page.locator(".offers input").fill("n > 20");
await page.locator(".offers button", { hasText: "until" }).click();
await page.waitForFunction(() => Number(document.querySelector("#goto")?.value) > 2);
expect("until", await page.locator(".livebar").innerText(), /n > 20 is true there/);
const walked = await page.locator("#goto").inputValue();
// Looking back asks what was possible there; undo goes back; another step from there begins another walk.
await page.keyboard.press("Home");
await page.waitForFunction(() => document.querySelectorAll(".offers li button").length === 2);
await page.keyboard.press("End");
await page.keyboard.press("u");
expect("undo", await page.locator("#goto").inputValue(), String(Number(walked) - 1));
await page.keyboard.press("End");
// The file is edited again and again while the page is open: what was walked stays, as far as it goes.
const text = readFileSync(model, "utf-8");
const edited = async (now, then, said) => {
  writeFileSync(model, now);
  await page.waitForFunction(() => document.querySelector(".livebar")?.textContent.includes("has changed"), null, { timeout: 60000 });
  await page.keyboard.press("r");
  await page.waitForFunction(then, said, { timeout: 60000 });
  const stop = page.locator(".livebar button", { hasText: "stop" });
  if (await stop.count()) await stop.first().click().catch(() => undefined);
  await page.waitForFunction(() => document.querySelector(".livebar button")?.textContent.startsWith("check"), null, { timeout: 60000 });
};
const inBanner = (said) => document.querySelector(".banner")?.textContent.includes(said);
const inBar = (said) => document.querySelector(".livebar")?.textContent.includes(said);
const offered = (said) => [...document.querySelectorAll(".offers li button")].some((one) => one.textContent === said);
await edited(`${text}\ndef broken(:\n`, inBanner, "SC102");
expect("broken, what was walked stays", await page.locator("#goto").inputValue(), walked);
await edited(text, offered, "add(by=1)");
expect("mended, what was walked stays", await page.locator("#goto").inputValue(), walked);
await edited(text.replace("log=()", "log=(), more=1"), (name) => document.querySelector(`[data-variable=${name}]`), "more");
expect("a new variable, what was walked stays", await page.locator("#goto").inputValue(), walked);
await edited(text.replace("(1, 2)", "(2, 3)"), inBar, "is not possible any more: the way is kept up to there");
expect("other steps, the beginning stays", Number(await page.locator("#goto").inputValue()) <= Number(walked), true);
await edited("import nothing_like_it", inBanner, "SC103");
expect("broken again", await sentence(), /^(Step \d+, add\(by=2\)|The initial state)/);
writeFileSync(model, text);
await page.waitForFunction(() => document.querySelector(".livebar")?.textContent.includes("has changed"), null, { timeout: 60000 });
await page.locator(".livebar button").first().click();
await page.waitForFunction(() => [...document.querySelectorAll("[role=tab]")].some((tab) => tab.textContent.includes("Sweep")), null, { timeout: 30000 });
await page.keyboard.press(String((await tabs()).indexOf("Sweep") + 1));
await page.waitForSelector("section .chart");
expect("it moves", await sentence(), /^The sweep is at progress \d+, in layer [\d,]+/);
const before = await sentence();
await page.waitForFunction((text) => document.querySelector(".sentence")?.textContent !== text, before, { timeout: 30000 });
if (pictures) await page.screenshot({ path: `${pictures}/live-sweep.png` });
await page.locator(".livebar button", { hasText: "stop" }).click();
await page.waitForFunction(() => document.querySelector(".banner")?.textContent.includes("interrupted"), null, { timeout: 30000 });
expect("stopped", await page.locator(".banner").innerText(), /^interrupted after/);
if (pictures) await page.screenshot({ path: `${pictures}/live-stopped.png` });
await page.route("**/api/**", (route) => route.abort());
await page.waitForFunction(() => document.querySelector(".livebar")?.textContent.includes("does not answer"), null, { timeout: 30000 });
await page.keyboard.press(String((await tabs()).indexOf("Trace") + 1));
await page.keyboard.press("Home");
expect("without the server", await sentence(), "The initial state.");
await browser.close();
console.log(wrong.join("\n"));
