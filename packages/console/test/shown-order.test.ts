import { expect, test } from "vitest"
import { holdOrder } from "../src/kit/list-window/shown-order.ts"

const NOTHING = new Set<string>()
const ids = (text: string) => [...text]

interface Change {
  readonly shown: string
  readonly lastInView: string
  readonly list: string
  readonly loaded?: string
}

function held({ shown, lastInView, list, loaded = "" }: Change) {
  const { ids: order, ...counts } = holdOrder(ids(list), { ids: ids(shown), lastInView }, new Set(ids(loaded)))
  return { order: order.join(""), ...counts }
}

test("a list of which nothing is in view is shown as it is", () => {
  expect(holdOrder(ids("abc"), { ids: [], lastInView: null }, NOTHING).ids).toEqual(ids("abc"))
})

test("new records above the last row in view wait, and those below are shown", () => {
  expect(held({ shown: "bcde", lastInView: "c", list: "abxcdye" })).toEqual({
    order: "bcdye",
    newCount: 2,
    movedCount: 0,
  })
})

test("a record in view that moves up stays where it is, and is counted", () => {
  expect(held({ shown: "abcd", lastInView: "d", list: "cabd" })).toEqual({ order: "abcd", newCount: 0, movedCount: 1 })
})

test("a record in view that moves far down stays where it is", () => {
  const change = held({ shown: "abcdef", lastInView: "c", list: "bcdefa" })

  expect(change).toEqual({ order: "abcdef", newCount: 0, movedCount: 1 })
})

test("a record from below that moves into view waits", () => {
  expect(held({ shown: "abcdef", lastInView: "c", list: "eabcdf" })).toEqual({
    order: "abcdf",
    newCount: 1,
    movedCount: 0,
  })
})

test("a record that has left is not shown", () => {
  expect(held({ shown: "abcd", lastInView: "c", list: "acd" })).toEqual({ order: "acd", newCount: 0, movedCount: 0 })
})

test("a page that was read before the first row is shown before it", () => {
  const change = held({ shown: "def", lastInView: "e", list: "abcdef", loaded: "abc" })

  expect(change).toEqual({ order: "abcdef", newCount: 0, movedCount: 0 })
})

test("whatever happens, rows in view keep their order, nothing is shown twice, and nothing that has left is shown", () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed % below
  }
  const shuffled = (count: number) => {
    const pool = ids("abcdefghijklmnopqrst")
    return Array.from({ length: count }, () => pool.splice(random(pool.length), 1)[0] ?? "")
  }
  for (let round = 0; round < 2000; round += 1) {
    const shown = shuffled(1 + random(12))
    const list = shuffled(random(14))
    const end = random(shown.length)
    const { ids: order, newCount } = holdOrder(list, { ids: shown, lastInView: shown[end] ?? null }, NOTHING)

    const inView = shown.slice(0, end + 1).filter((id) => list.includes(id))
    expect(order.filter((id) => inView.includes(id))).toEqual(inView)
    expect(new Set(order).size).toBe(order.length)
    expect(order.every((id) => list.includes(id))).toBe(true)
    expect(order.length + newCount).toBe(list.length)
  }
})
