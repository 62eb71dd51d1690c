import { expect, test } from "vitest"
import { FairSemaphore } from "../../../src/features/realtime/topics/fair-semaphore.ts"

/** Work that lasts until the test ends it, and records when it starts. */
function openWork(semaphore: FairSemaphore) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const start = (name: string, callers: readonly string[]) =>
    semaphore.run(callers, () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  const end = async (name: string) => {
    await allBegun()
    ends.get(name)?.()
    await allBegun()
  }
  return { begun, start, end }
}

/** Lets all work start that has a slot. */
function allBegun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

test("a caller with much work gets one slot, and the next when all others have had theirs", async () => {
  const { begun, start, end } = openWork(new FairSemaphore({ total: 2, perCaller: 2 }))
  const work = [1, 2, 3, 4].map((number) => start(`a${number}`, ["a"]))
  work.push(start("b1", ["b"]), start("c1", ["c"]))

  for (const name of ["a1", "a2", "a3", "b1", "c1", "a4"]) await end(name)
  await Promise.all(work)

  expect(begun).toEqual(["a1", "a2", "a3", "b1", "c1", "a4"])
})

test("a caller never has more than its share, also while slots are free", async () => {
  const { begun, start, end } = openWork(new FairSemaphore({ total: 4, perCaller: 1 }))
  const work = [start("a1", ["a"]), start("a2", ["a"]), start("b1", ["b"])]

  await end("none")
  expect(begun).toEqual(["a1", "b1"])
  for (const name of ["a1", "a2", "b1"]) await end(name)
  await Promise.all(work)

  expect(begun).toEqual(["a1", "b1", "a2"])
})

test("work for several callers waits with the one who has the least waiting", async () => {
  const { begun, start, end } = openWork(new FairSemaphore({ total: 1, perCaller: 1 }))
  const work = ["a1", "a2", "a3"].map((name) => start(name, ["a"]))
  work.push(start("shared", ["a", "b"]))

  for (const name of ["a1", "a2", "shared", "a3"]) await end(name)
  await Promise.all(work)

  expect(begun).toEqual(["a1", "a2", "shared", "a3"])
})

test("work that fails gives its slot back", async () => {
  const semaphore = new FairSemaphore({ total: 1, perCaller: 1 })
  const failing = semaphore.run(["a"], () => Promise.reject(new Error("no")))
  const next = semaphore.run(["a"], () => Promise.resolve("done"))

  await expect(failing).rejects.toThrow("no")
  expect(await next).toBe("done")
})
