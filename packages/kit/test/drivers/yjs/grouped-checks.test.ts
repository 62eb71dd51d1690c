import { expect, test } from "vitest"
import { createDocument } from "../../../src/drivers/yjs/documents.ts"
import { GroupedChecks } from "../../../src/drivers/yjs/grouped-checks.ts"
import { runCall } from "../../../src/drivers/yjs/run-call.ts"
import type { CallOutcome } from "../../../src/drivers/yjs/thread/codec-thread.ts"
import type { CodecCall } from "../../../src/drivers/yjs/thread/thread-message.ts"
import { RICH_TEXT_ROOT, TEXT_ROOT } from "./any-document.ts"

const VALID = createDocument(TEXT_ROOT, "Some words")
const LARGE = createDocument(TEXT_ROOT, "x".repeat(10_000))
const EMPTY = createDocument(RICH_TEXT_ROOT, { type: "doc", content: [{ type: "paragraph" }] })
const UNDECODABLE = Uint8Array.of(1)

/** A thread that answers later, and counts the updates of each call. */
function countedThread(outcomeOf: (call: CodecCall) => CallOutcome) {
  const groups: number[] = []
  const run = async (call: CodecCall) => {
    groups.push("updates" in call ? call.updates.length : 0)
    await new Promise((resolve) => setImmediate(resolve))
    return outcomeOf(call)
  }
  return { groups, checks: new GroupedChecks({ run }) }
}

const checked = (call: CodecCall): CallOutcome => ({ kind: "result", result: runCall(call) })

test("updates that arrive during a check are checked together, each with its own answer", async () => {
  const { groups, checks } = countedThread(checked)

  const answers = await Promise.all([
    checks.check(TEXT_ROOT, VALID),
    checks.check(TEXT_ROOT, VALID),
    checks.check(TEXT_ROOT, UNDECODABLE),
    checks.check(RICH_TEXT_ROOT, EMPTY),
    checks.check(TEXT_ROOT, VALID),
    checks.check({ name: "other", shape: "text" }, VALID),
  ])

  expect(answers.map(({ refusal }) => refusal !== undefined)).toEqual([false, false, true, false, false, true])
  expect(answers[2]).toEqual({ refusal: "The update ends too early." })
  expect(groups).toEqual([1, 3, 1, 1])
})

test("a large update is checked alone", async () => {
  const { groups, checks } = countedThread(checked)
  const updates = [VALID, LARGE, VALID, LARGE, VALID]

  const answers = await Promise.all(updates.map((update) => checks.check(TEXT_ROOT, update)))

  expect(answers).toEqual(updates.map(() => ({ added: [], removes: false })))
  expect(groups).toEqual([1, 1, 2, 1])
})

test("if a group exceeds a limit, only the update that does so fails, and may be sent again", async () => {
  const isSlow = (call: CodecCall) => "updates" in call && call.updates.some((update) => update === UNDECODABLE)
  const { groups, checks } = countedThread((call) =>
    isSlow(call) ? { kind: "exceeded", limit: "time" } : checked(call),
  )
  const updates = [VALID, VALID, UNDECODABLE, VALID]

  const answers = await Promise.allSettled(updates.map((update) => checks.check(TEXT_ROOT, update)))

  expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"])
  expect(answers[2]).toMatchObject({ reason: { isTemporary: true } })
  expect(groups).toEqual([1, 3, 1, 1, 1])
})

test("a large update that takes too long is refused", async () => {
  const { checks } = countedThread(() => ({ kind: "exceeded", limit: "time" }))

  expect(await checks.check(TEXT_ROOT, LARGE)).toEqual({ refusal: "The update takes too much time to decode." })
})

test("if the thread cannot run, all that wait for this check fail, and the next is tried", async () => {
  let isDown = true
  const { checks } = countedThread((call) => {
    if (isDown) throw new Error("no thread")
    return checked(call)
  })

  await expect(checks.check(TEXT_ROOT, VALID)).rejects.toThrow("no thread")
  isDown = false

  expect((await checks.check(TEXT_ROOT, VALID)).refusal).toBeUndefined()
})
