import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { PendingValues } from "../../../src/features/documents/values/pending-values.ts"
import type { UnwrittenValue } from "../../../src/features/documents/values/value-writer.ts"
import type { Session } from "../../../src/ports/session-provider.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const QUIET = { info: () => {}, warn: () => {}, error: () => {} }

function unwritten(id: string, session: Session | null | undefined = null): UnwrittenValue {
  // The cast is safe: nothing here reads the place of a document.
  return { id, session, place: {} as UnwrittenValue["place"] }
}

function pendingValues(write: (value: UnwrittenValue) => Promise<void> = async () => {}) {
  const written: { id: string; atMs: number; session: Session | null | undefined }[] = []
  const startMs = Date.now()
  const onFailed = vi.fn<() => void>()
  const values = new PendingValues({
    write: (value) => {
      written.push({ id: value.id, atMs: Date.now() - startMs, session: value.session })
      return write(value)
    },
    onFailed,
    logger: QUIET,
  })
  return { values, written, onFailed }
}

test("a value is written one second after the last edit", async () => {
  const { values, written } = pendingValues()

  values.schedule(unwritten("a"))
  await vi.advanceTimersByTimeAsync(600)
  values.schedule(unwritten("a"))
  await vi.advanceTimersByTimeAsync(10_000)

  expect(written).toMatchObject([{ id: "a", atMs: 1_600 }])
  expect(vi.getTimerCount()).toBe(0)
})

test("a value is written at least every five seconds while people keep typing", async () => {
  const { values, written } = pendingValues()

  for (let edits = 0; edits < 24; edits++) {
    values.schedule(unwritten("a"))
    await vi.advanceTimersByTimeAsync(500)
  }
  await vi.advanceTimersByTimeAsync(10_000)

  expect(written.map(({ atMs }) => atMs)).toEqual([5_000, 10_000, 12_500])
  expect(vi.getTimerCount()).toBe(0)
})

test("two values of one document are never written at the same time, and no edit is forgotten", async () => {
  const ends: (() => void)[] = []
  const { values, written } = pendingValues(() => new Promise<void>((resolve) => ends.push(resolve)))

  values.schedule(unwritten("a"))
  await vi.advanceTimersByTimeAsync(1_000)
  values.schedule(unwritten("a"))
  values.schedule(unwritten("b"))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(written.map(({ id }) => id)).toEqual(["a", "b"])

  for (const end of ends.splice(0)) end()
  await vi.advanceTimersByTimeAsync(0)
  expect(written.map(({ id }) => id)).toEqual(["a", "b", "a"])
})

test("the session of the last editor is kept when another process reports a change", async () => {
  const { values, written } = pendingValues()

  values.schedule(unwritten("a", { user: { id: "eva" } }))
  values.schedule(unwritten("a", { user: { id: "jan" } }))
  values.schedule({ ...unwritten("a"), session: undefined })
  await values.settle()

  expect(written).toMatchObject([{ session: { user: { id: "jan" } } }])
  expect(vi.getTimerCount()).toBe(0)
})

test("a failed write is reported, and leaves no timer", async () => {
  const { values, onFailed } = pendingValues(() => Promise.reject(new Error("The database is down.")))

  values.schedule(unwritten("a"))
  await values.settle()

  expect(onFailed).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})
