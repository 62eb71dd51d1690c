import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { CheckQueue } from "../../../src/features/documents/check-queue.ts"
import { PatientCodec } from "../../../src/features/documents/patient-codec.ts"
import type { CheckedUpdate } from "../../../src/ports/document-codec.ts"

const WAIT = { timeout: 60_000 }

const VALID: CheckedUpdate = { added: [], removes: false }
const root = { name: "body", shape: "text" } as const
const exceeded = () => Object.assign(new Error("too slow"), { isTemporary: true, exceededLimit: "time" })

describe("a document that exceeds the limits of the codec", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }))
  afterEach(() => void vi.useRealTimers())

  function codecWith(read: () => Promise<unknown>) {
    const calls = {
      read: vi.fn(read),
      edit: vi.fn(),
      deletedNames: vi.fn(),
      compact: vi.fn(),
      differenceFrom: vi.fn(),
      survey: vi.fn(),
      factsOf: vi.fn(),
    }
    return { calls, codec: new PatientCodec(calls) }
  }

  test("is left alone for a while, and for longer each time", async () => {
    const { calls, codec } = codecWith(() => Promise.reject(exceeded()))
    const read = () => codec.of("one").read(root, [])

    await expect(read()).rejects.toThrow("too slow")
    await expect(read()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })
    vi.advanceTimersByTime(31_000)
    await expect(read()).rejects.toThrow("too slow")
    vi.advanceTimersByTime(31_000)
    await expect(read()).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" })

    expect(calls.read).toHaveBeenCalledTimes(2)
  })

  test("does not keep other documents and other calls waiting", async () => {
    const { calls, codec } = codecWith(() => Promise.reject(exceeded()))
    await expect(codec.of("one").read(root, [])).rejects.toThrow("too slow")

    await codec.of("one").differenceFrom([], undefined)
    await expect(codec.of("two").read(root, [])).rejects.toThrow("too slow")

    expect(calls.differenceFrom).toHaveBeenCalledTimes(1)
  })

  test("is read again at once after another failure", async () => {
    const { calls, codec } = codecWith(() => Promise.reject(new Error("ended")))

    await expect(codec.of("one").read(root, [])).rejects.toThrow("ended")
    await expect(codec.of("one").read(root, [])).rejects.toThrow("ended")

    expect(calls.read).toHaveBeenCalledTimes(2)
  })
})

describe("the large updates of a document", () => {
  test("are checked one after the other, and those of other documents beside them", async () => {
    const settlers: (() => void)[] = []
    const check = vi.fn(() => new Promise<CheckedUpdate>((resolve) => settlers.push(() => resolve(VALID))))
    const queue = new CheckQueue({ check })
    const update = new Uint8Array(5_000)

    const first = [1, 2, 3].map(() => queue.check("one", { root, update }))
    const other = queue.check("two", { root, update })
    await vi.waitFor(() => expect(check).toHaveBeenCalledTimes(2), WAIT)
    for (const settle of settlers) settle()
    await other
    await first[0]
    await vi.waitFor(() => expect(check).toHaveBeenCalledTimes(3), WAIT)
    settlers[2]?.()
    await vi.waitFor(() => expect(check).toHaveBeenCalledTimes(4), WAIT)
    settlers[3]?.()

    await expect(Promise.all(first)).resolves.toEqual([VALID, VALID, VALID])
  })

  test("are refused if too many wait, and accepted again afterwards", async () => {
    let settle = () => {}
    const slow = new Promise<CheckedUpdate>((resolve) => {
      settle = () => resolve(VALID)
    })
    const queue = new CheckQueue({ check: () => slow })
    const update = new Uint8Array(256 * 1024)
    const waiting = Array.from({ length: 32 }, () => queue.check("one", { root, update }))

    await expect(queue.check("one", { root, update })).rejects.toMatchObject({ code: "RATE_LIMITED" })
    settle()
    await Promise.all(waiting)

    await expect(queue.check("one", { root, update })).resolves.toBe(VALID)
  })
})
