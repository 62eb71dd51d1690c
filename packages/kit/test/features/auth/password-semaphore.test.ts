import { describe, expect, test } from "vitest"
import { PasswordSemaphore } from "../../../src/features/auth/passwords/password-semaphore.ts"

/** Work whose end the test decides, and the order in which it began. */
class Work {
  readonly begun: string[] = []
  readonly refused: string[] = []
  readonly #ends: (() => void)[] = []
  readonly #lane: PasswordSemaphore

  constructor(lane: PasswordSemaphore) {
    this.#lane = lane
  }

  async ask(name: string, caller: string | undefined): Promise<void> {
    void this.#lane
      .run(caller, () => {
        this.begun.push(name)
        return new Promise<void>((resolve) => this.#ends.push(resolve))
      })
      .catch(() => this.refused.push(name))
    await settled()
  }

  async endOne(): Promise<void> {
    this.#ends.shift()?.()
    await settled()
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe("the lane of passwords", () => {
  test("does as much at once as it may", async () => {
    const work = new Work(new PasswordSemaphore({ atOnce: 2, waiting: 10, waitingPerCaller: 10 }))

    for (const name of ["a1", "a2", "a3"]) await work.ask(name, "a")

    expect(work.begun).toEqual(["a1", "a2"])
    await work.endOne()
    expect(work.begun).toEqual(["a1", "a2", "a3"])
  })

  test("has callers take turns", async () => {
    const work = new Work(new PasswordSemaphore({ atOnce: 1, waiting: 10, waitingPerCaller: 10 }))

    for (const name of ["a1", "a2", "a3", "a4"]) await work.ask(name, "a")
    for (const name of ["b1", "b2"]) await work.ask(name, "b")
    await work.ask("c1", "c")
    for (let ended = 0; ended < 6; ended++) await work.endOne()

    expect(work.begun).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"])
  })

  test("refuses what is beyond the share of a caller", async () => {
    const work = new Work(new PasswordSemaphore({ atOnce: 1, waiting: 10, waitingPerCaller: 2 }))

    for (const name of ["a1", "a2", "a3", "a4"]) await work.ask(name, "a")

    expect(work.refused).toEqual(["a4"])
  })

  test("gives a place in a full line to whoever has fewer", async () => {
    const work = new Work(new PasswordSemaphore({ atOnce: 1, waiting: 3, waitingPerCaller: 3 }))

    for (const name of ["a1", "a2", "a3", "a4"]) await work.ask(name, "a")
    for (const name of ["b1", "b2"]) await work.ask(name, "b")
    await work.ask("c1", "c")
    for (let ended = 0; ended < 4; ended++) await work.endOne()

    expect(work.refused).toEqual(["a4", "b2", "a3"])
    expect(work.begun).toEqual(["a1", "a2", "b1", "c1"])
  })

  test("never refuses system code, and is free again after a failure", async () => {
    const lane = new PasswordSemaphore({ atOnce: 1, waiting: 1, waitingPerCaller: 1 })
    const work = new Work(lane)

    await expect(lane.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no")
    for (const name of ["s1", "s2", "s3"]) await work.ask(name, undefined)
    await work.ask("a1", "a")
    for (let ended = 0; ended < 3; ended++) await work.endOne()

    expect(work.begun).toEqual(["s1", "s2", "s3"])
    expect(work.refused).toEqual(["a1"])
  })
})
