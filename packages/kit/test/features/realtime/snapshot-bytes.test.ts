import { expect, test } from "vitest"
import { type Snapshot, snapshotEvent, snapshotOf } from "../../../src/features/realtime/queries/snapshot.ts"
import { SnapshotCache } from "../../../src/features/realtime/queries/snapshot-cache.ts"
import { UnsentSnapshots } from "../../../src/features/realtime/streams/unsent-snapshots.ts"

const snapshot = (bytes: number): Snapshot => ({ hash: "h", data: Buffer.alloc(bytes), events: [] })

test("a caller pushes out only what it follows alone", () => {
  const cache = new SnapshotCache({ perCaller: 100, perProcess: 1_000 })
  const [first, second, third, shared, other] = [{}, {}, {}, {}, {}]
  cache.set(shared, snapshot(90), undefined)
  cache.set(other, snapshot(90), "user b")
  cache.set(first, snapshot(40), "user a")
  cache.set(second, snapshot(40), "user a")
  // Used last, so that the second is the oldest.
  cache.get(first)

  cache.set(third, snapshot(40), "user a")

  const isKept = [first, second, third, shared, other].map((query) => cache.get(query) !== undefined)
  expect(isKept).toEqual([true, false, true, true, true])
})

test("what does not fit into the process is taken from who has the most", () => {
  const cache = new SnapshotCache({ perCaller: 100, perProcess: 150 })
  const [large, small, next] = [{}, {}, {}]
  cache.set(large, snapshot(90), "user a")
  cache.set(small, snapshot(30), "user b")

  cache.set(next, snapshot(60), "user c")

  expect([large, small, next].map((query) => cache.get(query)?.data.length)).toEqual([undefined, 30, 60])
})

test("a snapshot that is larger than the budget is not kept, and what is replaced or deleted is not counted", () => {
  const cache = new SnapshotCache({ perCaller: 100, perProcess: 100 })
  const [query, huge] = [{}, {}]
  for (let round = 0; round < 10; round++) cache.set(query, snapshot(60), "user a")
  cache.set(huge, snapshot(101), "user b")
  expect([cache.get(query)?.data.length, cache.get(huge)]).toEqual([60, undefined])

  cache.delete(query)
  cache.set(huge, snapshot(100), "user b")

  expect([cache.get(query), cache.get(huge)?.data.length]).toEqual([undefined, 100])
})

test("a snapshot on its way to many is counted once, and past the budget the oldest stream is cut off", () => {
  const unsent = new UnsentSnapshots({ perCaller: 100, perProcess: 1_000 })
  const cut: string[] = []
  const releases = new Map<string, () => void>()
  const hold = (name: string, data: Buffer, caller = "user a") => {
    const cutOff = () => {
      cut.push(name)
      releases.get(name)?.()
    }
    releases.set(name, unsent.hold({ caller, data, cut: cutOff }))
  }
  const shared = Buffer.alloc(60)
  for (const name of ["a1", "a2", "a3"]) hold(name, shared)
  hold("b1", Buffer.alloc(90), "user b")
  expect(cut).toEqual([])

  hold("a4", Buffer.alloc(60))
  expect(cut).toEqual(["a1", "a2", "a3"])

  releases.get("a4")?.()
  hold("alone", Buffer.alloc(500))
  expect(cut).toEqual(["a1", "a2", "a3"])
})

test("past the budget of the process the caller with the most is cut off", () => {
  const unsent = new UnsentSnapshots({ perCaller: 100, perProcess: 150 })
  const cut: string[] = []
  unsent.hold({ caller: "user a", data: Buffer.alloc(30), cut: () => cut.push("a") })
  unsent.hold({ caller: "user b", data: Buffer.alloc(80), cut: () => cut.push("b") })

  unsent.hold({ caller: "user c", data: Buffer.alloc(50), cut: () => cut.push("c") })

  expect(cut).toEqual(["b"])
})

test("a stream that is cut while its own snapshot is counted is counted no more", () => {
  const unsent = new UnsentSnapshots({ perCaller: 1_000, perProcess: 150 })
  const cut: string[] = []
  unsent.hold({ caller: "user a", data: Buffer.alloc(70), cut: () => cut.push("a") })
  unsent.hold({ caller: "user b", data: Buffer.alloc(100), cut: () => cut.push("b") })
  expect(cut).toEqual(["b"])

  unsent.hold({ caller: "user c", data: Buffer.alloc(60), cut: () => cut.push("c") })

  expect(cut).toEqual(["b"])
})

test("an event is one line of JSON, whether its bytes are copied or in parts", async () => {
  const small = await snapshotOf('{"docs":[{"a":1},\n {"a":"é"}]}')
  const large = await snapshotOf(JSON.stringify({ text: "é".repeat(2_000_000) }))

  const texts = [small, large].map((each) =>
    Buffer.concat(snapshotEvent(each, 'a "b"', 3).map((part) => Buffer.from(part))),
  )

  const [first, second] = texts.map((text) => JSON.parse(String(text).replace("event: snapshot\ndata: ", "")))
  expect(first).toEqual({ topicId: 'a "b"', seq: 3, hash: small.hash, data: { docs: [{ a: 1 }, { a: "é" }] } })
  expect(second).toMatchObject({ topicId: 'a "b"', seq: 3, hash: large.hash, data: { text: "é".repeat(2_000_000) } })
})

test("subscribers with the same topic and number are sent the same buffer, and few others a copy of their own", async () => {
  const made = await snapshotOf("1")
  const partsOf = (seq: number) => snapshotEvent(made, "t", seq)

  const shared = [partsOf(1)[0], partsOf(1)[0]]
  const others = Array.from({ length: 20 }, (_, index) => partsOf(index + 2).length)

  expect(shared[0]).toBe(shared[1])
  expect(others.filter((length) => length === 1)).toHaveLength(3)
})
