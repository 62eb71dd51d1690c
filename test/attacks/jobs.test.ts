// @module-tag not-about-shortcuts
// @module-tag not-about-connections

import { describe, expect, test } from "vitest"
import { z } from "zod"
import { listJobs } from "../../packages/kit/src/features/jobs/job-admin.ts"
import { job } from "../../packages/kit/src/schema/builders/job.ts"
import type { PublishOptions } from "../../packages/kit/src/schema/context/job-publisher.ts"
import { jobWorld, schemaOf } from "../support/worlds/job-world.ts"

describe("99: a payload that is refused is not stored", () => {
  const circle: Record<string, unknown> = {}
  circle["self"] = circle
  const strict = job({ name: "strict", schema: z.object({ id: z.string() }), handler: () => {} })
  const loose = job({ name: "loose", schema: schemaOf(), handler: () => {} })

  test.each<[string, typeof strict | typeof loose, unknown, RegExp]>([
    ["one that its schema refuses", strict, { id: 7 }, /payload of job "strict" is refused\. payload\.id: /],
    ["one that is no object", strict, "x", /payload: /],
    ["nothing", strict, undefined, /publish an object/],
    ["a key that reaches the prototype", loose, JSON.parse('{"a":{"__proto__":{"x":1}}}'), /__proto__/],
    ["more than a megabyte", loose, { text: "x".repeat(10 * 1024 * 1024) }, /more than 1048576 bytes/],
    ["a circle", loose, circle, /Cannot be stored as JSON: .*circular/],
    ["a bigint", loose, { n: 1n }, /Cannot be stored as JSON: .*BigInt/],
    ["a number that JSON does not have", loose, { n: Number.NaN }, /"n" is NaN/],
    ["a function", loose, { run: () => {} }, /"run" is a function/],
    ["the character NUL", loose, { text: "a\0b" }, /NUL/],
    ["half of a character", loose, { text: "\ud800" }, /half of a character/],
    ["a very deep one", loose, JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), /JSON/],
  ])("%s", async (_name, refused, payload, message) => {
    await using world = await jobWorld()
    const instance = world.instance()

    await expect(instance.publish(refused, payload)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: expect.stringMatching(message),
    })

    expect(await listJobs(instance.database)).toEqual([])
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined()
  })
})

test.each<[string, PublishOptions, string]>([
  ["a start that is no moment", { startAfter: new Date("never") }, "startAfter"],
  ["a start before now in seconds", { startAfter: -1 }, "startAfter"],
  ["a start that is a text", { startAfter: "tomorrow" as never }, "startAfter"],
  ["a start in a thousand years", { startAfter: 1000 * 365 * 86_400 }, "startAfter"],
  ["an empty key", { singletonKey: "" }, "singletonKey"],
  ["a long key", { singletonKey: "x".repeat(201) }, "singletonKey"],
  ["a key with NUL", { singletonKey: "\0" }, "singletonKey"],
  ["a broken priority", { priority: 0.5 }, "priority"],
  ["a huge priority", { priority: 1e12 }, "priority"],
])("%s is refused and nothing is stored", async (_name, options, path) => {
  await using world = await jobWorld()
  const instance = world.instance()
  const task = job({ name: "task", schema: schemaOf(), handler: () => {} })

  await expect(instance.publish(task, {}, options)).rejects.toMatchObject({ fieldErrors: [{ path }] })

  expect(await listJobs(instance.database)).toEqual([])
})

test("a payload that was stored past the schema never reaches the handler", async () => {
  await using world = await jobWorld()
  const instance = world.instance()
  const seen: unknown[] = []
  const schema = z.object({ id: z.string() })
  const task = job({
    name: "task",
    schema,
    options: { retryLimit: 0 },
    handler: ({ payload }) => void seen.push(payload),
  })
  const failed = async () => {
    const [stored] = await listJobs(instance.database, { state: "failed" })
    expect(stored?.error).toContain('The payload of job "task" is refused.')
  }
  await world.database.query(
    `insert into "_kit_jobs" (id, name, state, payload, priority, run_at, max_attempts, created_at)
     values (gen_random_uuid(), 'task', 'waiting', '{"id":{"evil":true}}', 0, now(), 1, now())`,
  )

  await instance.work([task])
  await expect.poll(() => listJobs(instance.database, { state: "failed" })).toHaveLength(1)

  await failed()
  expect(seen).toEqual([])
})
