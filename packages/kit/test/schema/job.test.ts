import { expect, test } from "vitest"
import { z } from "zod"
import { email } from "../../src/schema/builders/email.ts"
import { type JobOptions, job } from "../../src/schema/builders/job.ts"
import { service } from "../../src/schema/builders/service.ts"

const schema = z.object({ id: z.string() })
const handler = () => {}

test("a job is frozen and has every default", () => {
  const { definition } = job({ name: "send-digest", schema, handler })

  expect(definition).toMatchObject({
    ...{ kind: "job", name: "send-digest", retryLimit: 3, retryDelayMs: 5_000, timeoutMs: 300_000 },
    ...{ concurrency: Number.POSITIVE_INFINITY, priority: 0, cron: undefined },
  })
  expect(Object.isFrozen(definition)).toBe(true)
})

test("cron is a pattern, or a pattern with its time zone and payload", () => {
  const cronOf = (cron: JobOptions["cron"] & {}) =>
    job({ name: "x", schema, handler, options: { cron } }).definition.cron

  expect(cronOf("0 8 * * *")).toMatchObject({ pattern: { text: "0 8 * * *", timeZone: "UTC" }, payload: {} })
  expect(cronOf({ pattern: "0 8 * * *", timeZone: "Asia/Tokyo", payload: { id: "7" } })).toMatchObject({
    pattern: { timeZone: "Asia/Tokyo" },
    payload: { id: "7" },
  })
})

test.each<[string, JobOptions, RegExp]>([
  ["a negative retry limit", { retryLimit: -1 }, /Job "x": retryLimit must be a whole number from 0 to 1000/],
  ["half a retry", { retryLimit: 1.5 }, /retryLimit must be a whole number/],
  ["a delay that is no number", { retryDelay: "5" as never }, /retryDelay must be a number/],
  ["no time at all", { timeout: 0 }, /timeout must be a number from 0.001/],
  ["room for none", { concurrency: 0 }, /concurrency must be a whole number from 1/],
  ["a broken cron pattern", { cron: "0 8 * *" }, /Job "x": The cron pattern "0 8 \* \*" has 4 fields/],
  ["an unknown time zone", { cron: { pattern: "0 8 * * *", timeZone: "Mars" } }, /Job "x": "Mars" is not a time zone/],
])("%s is refused", (_name, options, message) => {
  expect(() => job({ name: "x", schema, handler, options })).toThrow(message)
})

test.each(["", "two words", "-x", "x".repeat(101), undefined, 'a"b'])("%s is no name", (name) => {
  expect(() => job({ name: name as string, schema, handler })).toThrow(/is not a valid job name/)
})

test("a job needs a schema and a handler", () => {
  expect(() => job({ name: "x", schema: {} as never, handler })).toThrow(/needs a Standard Schema/)
  expect(() => job({ name: "x", schema, handler: undefined as never })).toThrow(/needs a handler/)
})

test("what a job does not know is refused, and an option in the wrong place is told its own", () => {
  const misplaced: any = { name: "x", schema, handler, cron: "0 6 * * *" }
  const unknown: any = { name: "x", schema, handler, payload: {} }
  const misspelled: any = { name: "x", schema, handler, options: { retryLimt: 5 } }

  expect(() => job(misplaced)).toThrow('Job "x": cron is an option. Write options: { cron: … }.')
  expect(() => job(unknown)).toThrow('Job "x" has no "payload". Known: name, schema, handler, options.')
  expect(() => job(misspelled)).toThrow('options of job "x" has no "retryLimt". Did you mean "retryLimit"?')
})

test("so is what a service or an email does not know", () => {
  const disposed: any = { lifecycle: "singleton", create: () => 1, disposed: () => {} }
  const mailed: any = { name: "x", schema, handler: () => ({ subject: "", html: "" }), subject: "Hi" }

  expect(() => service(disposed)).toThrow('A service has no "disposed". Did you mean "dispose"?')
  expect(() => email(mailed)).toThrow('An email has no "subject". Known: name, schema, handler.')
})
