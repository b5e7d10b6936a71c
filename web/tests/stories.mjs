// Looks at pages in Chromium as readers do. Arguments: the browser, a folder of pages, how many themes each is
// looked at in (one or both), where pictures go (none: nowhere), which pages alone (none: all of them, and the stories).
// Prints one line for each thing that is not as it should be.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const [, , executablePath, folder, themes, pictures, only] = process.argv;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf-8");
const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const browser = await chromium.launch({ executablePath, args: quiet });
const wrong = [];

function expect(name, found, wanted) {
  const fits = wanted instanceof RegExp ? wanted.test(found) : JSON.stringify(found) === JSON.stringify(wanted);
  if (!fits) wrong.push(`${name}: ${JSON.stringify(found)} is not ${wanted instanceof RegExp ? wanted : JSON.stringify(wanted)}`);
}

async function open(name, scheme = "light", address = "", bypassCSP = false) {
  // The policy of the page keeps the checker of accessibility out.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: scheme, bypassCSP });
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && wrong.push(`${name}: console says ${message.text()}`));
  page.on("pageerror", (error) => wrong.push(`${name}: ${error.message}`));
  page.on("dialog", () => wrong.push(`${name}: a dialog opened`));
  page.on("request", (request) => /^(file|blob|data):/.test(request.url()) || wrong.push(`${name}: asks for ${request.url()}`));
  await page.goto(`file://${folder}/${name}.html${address}`);
  await page.waitForSelector("[role=tabpanel] *");
  return page;
}

const sentence = (page) => page.locator(".sentence").first().innerText();
const tabs = (page) => page.locator("[role=tab]").allInnerTexts().then((all) => all.map((text) => text.replace(/^\d\s*/, "").trim()));

async function newcomer() {
  const page = await open("violated");
  expect("newcomer, how far it reaches", await page.locator(".reach").innerText(), "exact, not all states seen");
  expect("newcomer, title", await page.title(), /^✗ 1 - /);
  expect("newcomer, sentence", await sentence(page), /^Step 3, tick, changed n, log, box; “small” is false since then\.$/);
  expect("newcomer, here", await page.locator(".here .no").innerText(), /✗ small/);
  await page.keyboard.press("ArrowLeft");
  expect("newcomer, back", await sentence(page), /^Step 2, /);
  expect("newcomer, address", await page.evaluate(() => location.hash), /step=2/);
  await page.keyboard.press("End");
  await page.keyboard.press("m");
  await page.keyboard.press("Home");
  expect("newcomer, marked", await page.locator(".statepane .bar").first().innerText(), /compared with step 3/);
  await page.keyboard.press("m");
  await page.keyboard.press("End");
  expect("newcomer, why", await page.locator(".why").innerText(), /The property looked at\s+n = 3, written in step 3: tick\s+tick read\s+n = 2, written in step 2: tick/);
  await page.locator(".why .causes button").last().click();
  expect("newcomer, the writer", await sentence(page), /^Step 2, /);
  await page.locator("[data-variable='pair.a']").click();
  expect("newcomer, who wrote a variable", await sentence(page), /^Step 1, /);
  await page.keyboard.press("End");
  await page.keyboard.press("w");
  expect("newcomer, what matters", await page.locator(".why").innerText(), /3 of 3 steps matter for the last state/);
  await page.keyboard.press("1");
  expect("newcomer, the predicate", await page.locator(".source").first().innerText(), /^m\.invariant\("small", lambda s/);
  expect("newcomer, verdicts", await page.locator(".verdict").first().innerText(), /violated\s+invariant/);
  await page.keyboard.press("?");
  expect("newcomer, help", await page.locator("dialog h2").first().innerText(), "Keys");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.context().close();
}

/** What is watched and which variables are shown outlives other tabs, another address and loading again. */
async function watcher() {
  const page = await open("violated");
  const watched = () => page.locator(".watches tbody tr").allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, " ").replace(/ [▷×].*$/, "").trim()));
  const add = async (text) => {
    await page.locator("#watch").fill(text);
    await page.keyboard.press("Enter");
  };
  for (const text of ["len(log) + n * 2", "'token' in box and 1 <= n < 9", "pair.b", "pair.c", "nobody", "-7 // 2 + -7 % 2", "max(log) - min(log)", "alert(1)", "seen == log", "log[-1]"]) await add(text);
  const wanted = [
    "~len(log) + n * 2 9 was 6",
    "'token' in box and 1 <= n < 9 True",
    "pair.b 'x'",
    "pair.c (there is no variable pair)",
    "nobody (there is no variable nobody)",
    "-7 // 2 + -7 % 2 -3",
    "~max(log) - min(log) 2 was 1",
    "alert(1) (there is no variable alert)",
    "seen == log False",
    "~log[-1] 3 was 2",
  ];
  expect("watcher, values", await watched(), wanted);
  await page.locator(".filter").fill("pair log");
  expect("watcher, filter", await page.locator("[data-variable]").allInnerTexts(), ["log", "pair.a", "pair.b"]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("1");
  await page.keyboard.press("2");
  expect("watcher, other tabs", await watched(), wanted);
  await page.reload();
  await page.waitForSelector(".watches tbody");
  expect("watcher, loaded again", await watched(), wanted);
  await page.goto("about:blank");
  await page.goto(`file://${folder}/violated.html`);
  await page.waitForSelector(".watches tbody");
  expect("watcher, another address", await watched(), wanted);
  expect("watcher, filter kept", await page.locator("[data-variable]").allInnerTexts(), ["log", "pair.a", "pair.b"]);
  await page.keyboard.press("Home");
  await page.locator(".watches button[title*=next]").first().click();
  expect("watcher, next change", await sentence(page), /^Step 1, /);
  await page.context().close();
}

/** A trace that is saved in the browser is the one that the command line writes. */
async function saver(name) {
  const page = await open(name);
  await page.locator("header .menu > button").click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".choices button", { hasText: "ITF" }).click()]);
  const saved = JSON.parse(readFileSync(await file.path(), "utf-8"));
  expect(`${name}, saved as ITF`, saved, JSON.parse(readFileSync(`${folder}/${name}.itf.json`, "utf-8")));
  await page.context().close();
}

/** A word is found in labels, names and values that change, of plain ones and of those with parts. */
async function searcher() {
  const page = await open("violated");
  for (const [words, hits] of [["box:", 3], ["pair.a:", 1], ["tick", 3], ["initial", 1], ["TOKEN 2", 2], ["→", 3], ["n=2", 1], ["nowhere", 0]]) {
    await page.locator("#search").fill(words);
    expect(`searcher, ${words}`, await page.locator(".bar .soft").first().innerText(), new RegExp(`^${hits} of`));
  }
  await page.context().close();
}

async function logician() {
  const page = await open("formula");
  expect("logician, propositions", await page.locator(".proposition").allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, " "))), ["{s.n > 9} false here", "{s.n == 2} false here"]);
  await page.keyboard.press("Home");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  expect("logician, elsewhere", await page.locator(".proposition .truth").allInnerTexts(), ["false here", "true here"]);
  await page.locator(".parts summary").click();
  expect("logician, the whole formula", await page.locator(".parts li").first().innerText(), /F \(\{s\.n > 9\} \| G \{s\.n == 2\}\)\s+✗ false here/);
  await page.context().close();
  const trees = await open("trees");
  await trees.keyboard.press("Home");
  const said = trees.locator(".parts button:not(.plain)");
  expect("logician, what is said", await said.allInnerTexts(), ["✗ false at 3"]);
  await said.click();
  expect("logician, its state", await trees.evaluate(() => location.hash), /step=3/);
  const all = await trees.locator(".parts li").count();
  await trees.locator(".parts button.plain").first().click();
  expect("logician, folded", [all > 5, await trees.locator(".parts li").count()], [true, 1]);
  await trees.context().close();
  const fair = await open("fair");
  expect("logician, fairness", (await fair.locator(".fair li").allInnerTexts()).map((text) => text.replace(/\s+/g, " ")), ["blink weak fairness: taken in step 2, 3", "serve strong fairness: not possible anywhere in the loop"]);
  await fair.context().close();
}

/** Members of a family are counted apart, and found. */
async function accountant() {
  const page = await open("workers", "light", "#tab=actions");
  const taken = page.locator("tbody button");
  const counts = (await taken.allInnerTexts()).map((text) => parseInt(text, 10));
  await taken.last().click();
  const steps = (await page.locator(".panes [role=grid]").getAttribute("aria-rowcount")) - 1;
  expect("accountant, steps", counts.reduce((sum, one) => sum + one, 0), steps);
  expect("accountant, found", await page.locator(".bar .soft").first().innerText(), new RegExp(`^${counts.at(-1)} of`));
  await page.context().close();
}

async function comparer() {
  const page = await open("tradeoff");
  expect("comparer, ways", await page.locator(".scatter .mark").count(), 3);
  await page.locator("tbody button").last().click();
  expect("comparer, a run", await page.locator("header select").inputValue(), "2");
  const tables = await open("tables");
  expect("comparer, rows", await tables.locator("article tbody tr").count(), 2);
  expect("comparer, figures", await tables.locator("article tbody tr").first().innerText().then((text) => text.replace(/\s+/g, " ").trim()), "small 1,000 1,000 = 12.5 % 13.0 % ≠");
  await tables.locator("input[type=checkbox]").check();
  expect("comparer, only others", await tables.locator("article tbody tr").count(), 1);
  await page.context().close();
  await tables.context().close();
}

async function cartographer() {
  const page = await open("modules", "light", "#tab=net");
  expect("cartographer, whole net", await page.locator(".transition").count(), 2);
  await page.locator("label select").selectOption("0");
  expect("cartographer, modules", [await page.locator(".module").count(), await page.locator(".transition").count()], [2, 0]);
  expect("cartographer, where it happened", await page.locator(".module.fired").getAttribute("aria-label"), /Two/);
  await page.locator(".module").first().focus();
  await page.keyboard.press("Enter");
  expect("cartographer, opened", await page.locator(".transition").getAttribute("aria-label"), /One\.Pass/);
  const graph = await open("violated", "light", "#tab=graph");
  expect("cartographer, graph", [await graph.locator(".state-node").count(), await graph.locator(".edge.walked").count(), await graph.locator(".state-node.bad").count()], [4, 3, 1]);
  await graph.keyboard.press("ArrowLeft");
  expect("cartographer, follows", await graph.locator(".statepane .sentence").innerText(), /^State 2/);
  await page.context().close();
  await graph.context().close();
}

async function teacher() {
  const page = await open("net", "light", "#tab=net");
  expect("teacher, places", (await page.locator(".place").count()) > 2, true);
  await page.keyboard.press("Home");
  const before = await page.locator(".place").first().getAttribute("aria-label");
  await page.keyboard.press("PageDown");
  expect("teacher, fired", await page.locator(".transition.fired").count(), 1);
  expect("teacher, moved", (await page.locator(".place.moved").count()) > 0, true);
  await page.keyboard.press("PageUp");
  expect("teacher, back", await page.locator(".place").first().getAttribute("aria-label"), before);
  await page.keyboard.press("Home");
  expect("teacher, bindings", await page.locator(".transition.enabled").getAttribute("aria-label"), /enabled in 2 ways/);
  await page.keyboard.press("e");
  expect("teacher, a riddle", await page.locator(".transition.enabled").count(), 0);
  await page.keyboard.press("e");
  await page.locator(".transition").last().focus();
  await page.keyboard.press("Enter");
  await page.locator(".nettab button", { hasText: "stop here" }).click();
  await page.locator(".netbox").click({ position: { x: 3, y: 3 } });
  await page.locator(".bar button[title*=play]").click();
  await page.waitForFunction(() => document.querySelector(".transition.fired")?.classList.contains("halted"));
  expect("teacher, stops there", await page.locator(".bar button[title*=play]").getAttribute("aria-pressed"), "false");
  await page.keyboard.press("f");
  await page.waitForFunction(() => document.fullscreenElement?.classList.contains("nettab"));
  expect("teacher, projected", [await page.locator("header").isVisible(), parseFloat(await page.evaluate(() => getComputedStyle(document.querySelector(".nettab .sentence")).fontSize))], [true, 24]);
  await page.keyboard.press("f");
  await page.locator(".place").first().focus();
  await page.keyboard.press("Enter");
  expect("teacher, place", await page.locator(".nettab > p:not(.sentence)").first().innerText(), /holds/);
  await page.context().close();
}

async function expert() {
  const page = await open("long");
  const last = (await page.locator(".panes [role=grid]").getAttribute("aria-rowcount")) - 1;
  expect("expert, steps", last > 2000, true);
  expect("expert, folded", (await page.locator(".step").count()) < 12, true);
  expect("expert, rounds", await page.locator(".step.fold").first().innerText(), /×1,500.* \(go\)/);
  await page.locator(".step.fold").last().click();
  expect("expert, opened", (await page.locator(".step").count()) > 12, true);
  expect("expert, sentence", await sentence(page), /; then it goes on as after step 1500, for ever\.$/);
  await page.locator("button", { hasText: "prefix" }).click();
  expect("expert, before the loop", await page.locator(".step").count(), 2);
  await page.locator("button", { hasText: "whole" }).click();
  await page.keyboard.press("l");
  expect("expert, loop", Number(await page.locator("#goto").inputValue()) > 0, true);
  await page.keyboard.press("/");
  await page.keyboard.type("step:100-109");
  expect("expert, search", await page.locator(".bar .soft").first().innerText(), /^10 of/);
  await page.keyboard.press("Enter");
  expect("expert, rows", (await page.locator(".step").count()) < 100, true);
  expect("expert, nodes", (await page.evaluate(() => document.querySelectorAll("*").length)) < 3000, true);
  await page.context().close();
}

/** Every tab, in a theme: it is there, nothing runs that should not, and readers who do not see or do not point find it all. */
async function everyTab(name, wanted, scheme) {
  const page = await open(name, scheme, "", true);
  const there = await tabs(page);
  expect(`${name}, tabs`, there, wanted);
  for (const [index, tab] of there.entries()) {
    await page.keyboard.press(String(index + 1));
    expect(`${name}, ${tab}`, await page.locator("[role=tab][aria-selected=true]").innerText().then((text) => text.replace(/^\d\s*/, "").trim()), tab);
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
    for (const one of violations) wrong.push(`${name}, ${tab}, ${scheme}: ${one.id}: ${one.nodes[0].html.slice(0, 200)}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) wrong.push(`${name}, ${tab}: ${wide} pixels wider than the window`);
    if (pictures) await page.screenshot({ path: `${pictures}/${name}-${tab}-${scheme}.png` });
  }
  expect(`${name}, nothing ran`, await page.evaluate(() => globalThis.harmed ?? null), null);
  await page.context().close();
}

/** With the policy that a reader's browser keeps: its violations would be console errors. */
async function asReadersDo(name, wanted) {
  const page = await open(name);
  for (let number = 1; number <= wanted.length; number++) await page.keyboard.press(String(number));
  await page.context().close();
}

/** On a telephone, every tab is as wide as the screen, and so is what it is made of. */
async function traveller(name) {
  const page = await open(name);
  await page.setViewportSize({ width: 360, height: 740 });
  for (const tab of await page.locator("[role=tab]").all()) {
    await tab.click();
    const wide = await page.evaluate(() => [document.documentElement, ...document.querySelectorAll(".panes > *, .graphpanes > *, .step .mark")].filter((one) => one.getBoundingClientRect().right > innerWidth || one === document.documentElement && one.scrollWidth > innerWidth).map((one) => one.className || one.tagName));
    expect(`traveller, ${name}, ${(await tab.innerText()).trim()}`, wide, []);
  }
  await page.context().close();
}

/** Without a pointer: Tab reaches everything that can be used, shows where it is, and gets out again. */
async function typist(name) {
  const page = await open(name);
  const usable = "button, input, select, a[href], summary, [tabindex='0']";
  for (const tab of await page.locator("[role=tab]").all()) {
    await tab.focus();
    await page.keyboard.press("Enter");
    const title = `typist, ${name}, ${(await tab.innerText()).trim()}`;
    const wanted = await page.evaluate((usable) => [...document.querySelectorAll(usable)].filter((one) => one.checkVisibility() && !one.disabled && one.tabIndex >= 0).length, usable);
    await page.evaluate(() => document.activeElement?.blur());
    const reached = new Set();
    for (let presses = 0; presses < Math.min(wanted, 80); presses++) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate((usable) => {
        const element = document.activeElement;
        return [[...document.querySelectorAll(usable)].indexOf(element), getComputedStyle(element).outlineStyle, element.outerHTML.slice(0, 120)];
      }, usable);
      reached.add(found[0]);
      if (found[0] >= 0 && found[1] === "none") wrong.push(`${title}: no focus is seen on ${found[2]}`);
    }
    if (reached.size < Math.min(wanted, 80)) wrong.push(`${title}: ${reached.size} of ${wanted} elements are reached`);
  }
  await page.context().close();
}

async function stopped() {
  const page = await open("stopped");
  expect("stopped, title", await page.title(), /^\? - /);
  expect("stopped, banner", await page.locator(".banner").innerText(), /stopped early/);
  await page.keyboard.press("2");
  expect("stopped, banner everywhere", await page.locator(".banner").innerText(), /stopped early/);
  await page.context().close();
}

const { pages, saved } = JSON.parse(readFileSync(`${folder}/pages.json`, "utf-8"));
if (!only) await stories();
for (const [index, [name, wanted]] of Object.entries(pages).entries()) {
  if (only && !only.split(",").includes(name)) continue;
  await asReadersDo(name, wanted);
  for (const scheme of themes === "both" ? ["light", "dark"] : index % 2 ? ["light"] : ["dark"]) await everyTab(name, wanted, scheme);
}
await browser.close();
console.log(wrong.join("\n"));

async function stories() {
  await newcomer();
  await watcher();
  for (const name of saved) await saver(name);
  await searcher();
  await logician();
  await accountant();
  await comparer();
  await cartographer();
  await teacher();
  await expert();
  await stopped();
  for (const name of ["violated", "net", "tradeoff"]) {
    await typist(name);
    await traveller(name);
  }
}
