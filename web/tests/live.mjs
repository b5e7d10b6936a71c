// Uses the live page in Chromium. Arguments: the browser, the address of a server, the file of its model. Prints what is not as it should be.
// The server's model counts in `n`, which is its progress too, and does not end.
import { readFileSync, writeFileSync } from "node:fs";
import { chromium } from "playwright-core";

const [, , executablePath, address, model, pictures] = process.argv;
const quiet = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
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
const text = readFileSync(model, "utf-8");
writeFileSync(model, `${text}\ndef broken(:\n`);
await page.waitForFunction(() => document.querySelector(".livebar")?.textContent.includes("has changed"), null, { timeout: 30000 });
await page.locator(".livebar button").first().click();
await page.waitForFunction(() => document.querySelector(".banner")?.textContent.includes("SC102"), null, { timeout: 30000 });
expect("what was walked stays", await page.locator("#goto").inputValue(), walked);
writeFileSync(model, text);
await page.waitForFunction(() => document.querySelector(".livebar")?.textContent.includes("has changed"), null, { timeout: 30000 });
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
