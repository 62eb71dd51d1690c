import { monitorEventLoopDelay } from "node:perf_hooks"
import { collection } from "kit"
import { testApp } from "kit/testing"
import { expect, test } from "vitest"
import { slowdown } from "../../packages/kit/test/least-time.ts"

const COLLECTIONS = 80
const FIELDS = 40
const CALLS = 20
const MAX_BLOCKED_MS = 300

// Every rule is a function of its own, so that no result can be shared.
const rules = () => ({ read: () => ({ field1: "x" }), create: () => true, update: () => true })

const collections = Array.from({ length: COLLECTIONS }, (_each, place) =>
  collection(`things${place}`)
    .fields(({ f }) =>
      Object.fromEntries(Array.from({ length: FIELDS }, (_field, at) => [`field${at}`, f.text().access(rules())])),
    )
    .access(rules()),
)

test("other requests continue while many callers read the document of a large app", async () => {
  await using app = await testApp({ collections, config: { openapi: true } })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()

  const answers = await Promise.all(
    Array.from({ length: CALLS }, (_call, place) =>
      app.fetch("/_kit/openapi.json", { headers: { "accept-encoding": place % 2 === 0 ? "gzip" : "identity" } }),
    ),
  )
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  delay.disable()

  expect(new Set(texts).size).toBe(1)
  expect(delay.max / 1e6 / slowdown()).toBeLessThan(MAX_BLOCKED_MS)
}, 120_000)
