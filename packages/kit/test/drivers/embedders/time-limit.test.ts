import { expect, test } from "vitest"
import { callWithin } from "../../../src/drivers/embedders/time-limit.ts"

const never = () => new Promise<never>(() => undefined)

test("a call that ignores its signal fails after the time limit", async () => {
  await expect(callWithin({ ms: 5, signal: undefined }, never)).rejects.toThrow("no answer within 0.005 seconds")
})

test("a call ends with the signal of the caller, and its own signal is aborted for the same reason", async () => {
  const controller = new AbortController()
  let inner: AbortSignal | undefined
  const called = callWithin({ ms: 60_000, signal: controller.signal }, (signal) => {
    inner = signal
    return never()
  })
  controller.abort(new Error("stopped"))

  await expect(called).rejects.toThrow("stopped")
  expect(inner?.reason).toEqual(new Error("stopped"))
  await expect(callWithin({ ms: 60_000, signal: controller.signal }, never)).rejects.toThrow("stopped")
})

test("the result of a call in time, or its error, is returned", async () => {
  expect(await callWithin({ ms: 60_000, signal: undefined }, () => Promise.resolve(7))).toBe(7)
  await expect(callWithin({ ms: 60_000, signal: undefined }, () => Promise.reject(new Error("own")))).rejects.toThrow(
    "own",
  )
})
