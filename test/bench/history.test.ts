// @module-tag not-about-engine

import { expect, test } from "vitest"

const HISTORY = new URL("../../bench/harness/history-line.mjs", import.meta.url).href

const RUN = {
  meta: { commit: "0123456789abcdef", date: "2026-11-18T10:00:00.000Z" },
  rows: [
    { name: "get", ratio: 1.234 },
    { name: "live fan-out", ratio: 0.9 },
  ],
}
const PAGE = "# History\n\n| commit | date |\n| --- | --- |\n| aaaaaaaa | 2026-11-16 |\n\nA note.\n"

test("a line has the ratios of a run and the costs; what was not measured is a dash", async () => {
  const { historyLine } = await import(HISTORY)

  const line = historyLine(RUN, { get: { promises: 18, kilobytes: 19.6 } })

  expect(line).toBe("| 01234567 | 2026-11-18 | 1.23 | – | – | – | – | – | 0.90 | 18 / 20 | – | – |")
})

test("a line is added at the end of the table, and replaces that of the same commit", async () => {
  const { addLine } = await import(HISTORY)

  const once = addLine(PAGE, "| bbbbbbbb | 2026-11-17 |")
  const twice = addLine(once, "| bbbbbbbb | 2026-11-18 |")

  expect(once).toBe(PAGE.replace("16 |\n", "16 |\n| bbbbbbbb | 2026-11-17 |\n"))
  expect(twice).toBe(PAGE.replace("16 |\n", "16 |\n| bbbbbbbb | 2026-11-18 |\n"))
})
