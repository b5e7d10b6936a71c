// The pictures of the documentation: each is a page that sweepcheck wrote, on one of its tabs.
// node pictures.mjs CHROMIUM OUT.png PAGE.html TAB [KEYS...]
import { chromium } from "playwright-core";

const [, , executablePath, out, page, tab, ...keys] = process.argv;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"] });
const context = await browser.newContext({ viewport: { width: 1120, height: 640 }, colorScheme: "light" });
const shown = await context.newPage();
await shown.goto(`file://${page}#tab=${tab}`);
await shown.waitForSelector("[role=tabpanel] *");
for (const key of keys) await shown.keyboard.press(key);
await shown.waitForTimeout(900); // until tokens have arrived
await shown.screenshot({ path: out });
await browser.close();
