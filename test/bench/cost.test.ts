// @module-tag not-about-engine

import { expect, onTestFinished, test } from "vitest"
import { appFolder } from "../support/processes/kit-process.ts"
import { createTestDatabase } from "../support/test-database.ts"

const COST = new URL("../../bench/cost/", import.meta.url)
const HARNESS = new URL("../../bench/harness/", import.meta.url)
const ROOT = new URL("../..", import.meta.url).pathname.replace(/\/$/, "")

const BEFORE = {
  get: { promises: 20, kilobytes: 30, statements: 1, rows: 1, walBytes: 0 },
  create: { promises: 100, kilobytes: 60, statements: 1, rows: 2, walBytes: 2_000 },
  route: { promises: 0, kilobytes: 10, statements: 0, rows: 0, walBytes: 0 },
}

test.each([
  [
    "promises by more than 3 % and more than one",
    { create: { promises: 104 } },
    "create costs 104 promises instead of 100 (+4.0 %).",
  ],
  ["promises of few", { get: { promises: 22 } }, "get costs 22 promises instead of 20 (+10 %)."],
  ["KB by more than 3 % and 1.5 KB", { get: { kilobytes: 32 } }, "get costs 32 KB instead of 30 (+6.7 %)."],
  ["a statement", { get: { statements: 2 } }, "get costs 2 statements instead of 1 (+100 %)."],
  ["a first statement", { route: { statements: 1 } }, "route costs 1 statements instead of 0."],
  ["rows", { create: { rows: 3 } }, "create costs 3 rows instead of 2 (+50 %)."],
  ["bytes of WAL", { create: { walBytes: 2_100 } }, "create costs 2100 bytes of WAL instead of 2000 (+5.0 %)."],
])("an operation that costs more is named: %s", async (_name, now, sentence) => {
  const { compareCosts, describeChange } = await import(new URL("compare.mjs", COST).href)

  const { more, less } = compareCosts(BEFORE, now)

  expect([more.map(describeChange), less]).toEqual([[sentence], []])
})

test.each([
  ["one promise", { get: { promises: 21 } }],
  ["promises within 3 %", { create: { promises: 103 } }],
  ["KB within 3 %", { create: { kilobytes: 61.7 } }],
  ["KB within 1.5 KB", { get: { kilobytes: 31.4 } }],
  ["bytes of WAL within 3 %", { create: { walBytes: 2_060 } }],
  ["a figure that is unknown now", { create: { promises: 100 } }],
  ["an operation that is new", { search: { promises: 500 } }],
])("a change that is small, or cannot be compared, is none: %s", async (_name, now) => {
  const { compareCosts } = await import(new URL("compare.mjs", COST).href)

  expect(compareCosts(BEFORE, now)).toEqual({ more: [], less: [] })
})

test("what an operation saves is told apart from what it costs more", async () => {
  const { compareCosts, describeChange } = await import(new URL("compare.mjs", COST).href)

  const { more, less } = compareCosts(BEFORE, { get: { promises: 10, kilobytes: 40 } })

  expect(more.map(describeChange)).toEqual(["get costs 40 KB instead of 30 (+33 %)."])
  expect(less.map(describeChange)).toEqual(["get costs 10 promises instead of 20 (−50 %)."])
})

test("the least of several measurements counts, for each figure by itself", async () => {
  const { lesserCosts } = await import(new URL("compare.mjs", COST).href)

  const least = lesserCosts({ promises: 10, kilobytes: 41, rows: 2 }, { promises: 12, kilobytes: 40, walBytes: 9 })

  expect(least).toEqual({ promises: 10, kilobytes: 40, rows: 2, walBytes: 9 })
})

test("one more promise, statement and object of a route are counted", async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  await using folder = await appFolder({
    "src/collections/notes.ts": `
import { collection } from "kit"
export default collection("notes").fields(({ f }) => ({ text: f.text() })).access({ read: true })`,
    "src/routes/small.ts": routeOf("await Promise.resolve()"),
    "src/routes/waiting.ts": routeOf("await Promise.resolve(); await Promise.resolve()"),
    "src/routes/asking.ts": routeOf("await Promise.resolve(); await context.collections.notes.count()"),
    "src/routes/hoarding.ts": routeOf("await Promise.resolve(); context.kept = new Array(1280).fill(1)"),
  })

  const [small, waiting, asking, hoarding] = await countRoutes({ app: folder.path, url: database.url }, [
    "small",
    "waiting",
    "asking",
    "hoarding",
  ])

  expect(small).toMatchObject({ statements: 0 })
  // The promise itself, and the one by which it is awaited.
  expect(waiting).toMatchObject({ promises: small.promises + 2, statements: 0 })
  expect(asking).toMatchObject({ statements: 1 })
  expect(hoarding).toMatchObject({ promises: small.promises, statements: 0 })
  expect(hoarding.kilobytes - small.kilobytes).toBeGreaterThan(9)
  expect(hoarding.kilobytes - small.kilobytes).toBeLessThan(12)
})

function routeOf(work: string): string {
  return `
import { route } from "kit"
export default route().get().handler(async (context) => { ${work}; return { status: "ok" } })`
}

async function countRoutes(place: { app: string; url: string }, names: readonly string[]) {
  const { MeasuredApp } = await import(new URL("measured-app.mjs", COST).href)
  const { Cleanup } = await import(new URL("cleanup.mjs", HARNESS).href)
  const { requestBytes } = await import(new URL("request-bytes.mjs", HARNESS).href)
  const cleanup = new Cleanup()
  onTestFinished(() => cleanup.run())
  const app = new MeasuredApp({ ...place, root: ROOT, cleanup })
  await app.isReady()
  const counted = []
  for (const name of names) {
    const requests = [requestBytes({ method: "GET", path: `/api/${name}` })]
    counted.push((await app.measure({ wanted: "costs", requests })).counted)
  }
  return counted
}
