// @module-tag not-about-engine

import { searchAdapterContract } from "kit/testing"
import { describe, expect, test } from "vitest"
import { wordEngine } from "./word-engine.ts"

describe("the contract of search adapters", () => {
  for (const { name, run } of searchAdapterContract) {
    test(name, async () => {
      const engine = wordEngine()
      await run(engine)

      expect(engine.documents.size).toBe(0)
    })
  }

  test.each([
    ["finds nothing", { search: () => Promise.resolve([]) }],
    ["never removes", { remove: () => Promise.resolve() }],
    ["never clears", { clear: () => Promise.resolve() }],
    ["forgets what it gets", { index: () => Promise.resolve() }],
    ["fails", { search: () => Promise.reject(new Error("broken")) }],
  ])("notices an adapter that %s", async (_, defect) => {
    const adapter = { ...wordEngine(), ...defect }
    const outcomes = await Promise.allSettled(searchAdapterContract.map(({ run }) => run(adapter)))

    expect(outcomes.map(({ status }) => status)).toContain("rejected")
  })

  test.each([
    ["searches all fields", ["title", "body", "_content"], "searches only the named fields"],
    ["searches no field", [], "finds documents by their words, in upper and lower case"],
  ])("notices an adapter that %s", async (_, fields, name) => {
    const engine = wordEngine()
    const adapter = {
      ...engine,
      search: (query: Parameters<typeof engine.search>[0], signal: AbortSignal) =>
        engine.search({ ...query, fields }, signal),
    }
    const behaviour = searchAdapterContract.find((each) => each.name === name)

    await expect(behaviour?.run(adapter)).rejects.toThrow("has found other documents than it should")
  })
})
