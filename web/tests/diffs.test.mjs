// What the page says of changes is what the command line says. CHANGES names a file of values, pairs of them, and texts, which a
// test of the package writes.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { changeText, Differ } from "../src/diff";

const file = process.env.CHANGES;

test.skipIf(!file)("changes are told alike", () => {
  const { values, cases } = JSON.parse(readFileSync(file, "utf-8"));
  const differ = new Differ(values);
  const told = ({ old, now }) => differ.changes("x", old, now).map((change) => changeText(change).replace(" → ", " -> "));
  const others = cases.filter((one) => JSON.stringify(told(one)) !== JSON.stringify(one.texts));
  expect(others.slice(0, 5).map((one) => [told(one), one.texts, values[one.old], values[one.now]])).toEqual([]);
  expect(cases.length).toBeGreaterThan(999);
});
