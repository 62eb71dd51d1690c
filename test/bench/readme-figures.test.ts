// @module-tag not-about-engine

import { expect, test } from "vitest"

const README_FIGURES = new URL("../../bench/harness/readme-figures.mjs", import.meta.url).href

test("a complete run writes the figures of its rows into the table of the README, and changes nothing else", async () => {
  const { withFigures } = await import(README_FIGURES)
  const readme = [
    "| request | row | kit     | by hand | ratio            |",
    "| ------- | --- | ------- | ------- | ---------------- |",
    "| one     | get | 7,332   | 7,805   | 0.94 (0.80–1.01) |",
    "| many    | x   | 1       | 2       | 0.50 (0.40–0.60) |",
  ]

  const changed = withFigures(readme.join("\n"), [
    { name: "get", kit: 12_345.6, raw: 999.4, ratio: 1.234, low: 1.1, high: 1.3 },
    { name: "list", kit: 1, raw: 1, ratio: 1, low: 1, high: 1 },
  ])

  expect(changed.split("\n")).toEqual([
    ...readme.slice(0, 2),
    "| one     | get | 12,346  | 999     | 1.23 (1.10–1.30) |",
    readme[3],
  ])
})
