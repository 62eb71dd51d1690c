import { expect, test } from "vitest"
import { type Move, movedIds, movesBetween } from "../src/fields/relation/links/link-order.ts"
import {
  type LinksEdit,
  linkRows,
  type ShownLinks,
  withLink,
  withLinkAt,
  withLinkAtEnd,
  withNewRecord,
  withoutLink,
  withoutRemoval,
} from "../src/fields/relation/links/links-edit.ts"

const ALL: ShownLinks = { ids: ["a", "b", "c", "d"], hasStart: true, hasEnd: true }

test("an edit names only what the person has changed, and none once it is taken back", () => {
  const added = withLink({}, "x", ALL)
  expect(added).toEqual({ connect: [{ id: "x" }] })
  expect(withoutLink(added ?? {}, "x", ALL)).toBeUndefined()

  const removed = withoutLink({}, "b", ALL)
  expect(removed).toEqual({ disconnect: [{ id: "b" }] })
  expect(withoutRemoval(removed ?? {}, "b")).toBeUndefined()
  expect(withLink(removed ?? {}, "b", ALL)).toBeUndefined()
  expect(withLink({}, "a", ALL)).toBeUndefined()
})

test("rows are the live links with the changes over them", () => {
  const edit: LinksEdit = { connect: [{ id: "x" }], disconnect: [{ id: "b" }], move: [{ id: "d", before: "a" }] }

  expect(linkRows(ALL, edit)).toEqual([
    { id: "d", change: "moved" },
    { id: "a", change: "none" },
    { id: "b", change: "removed" },
    { id: "c", change: "none" },
    { id: "x", change: "added" },
  ])
})

test("what was added is shown on a page that is not the last one", () => {
  const page: ShownLinks = { ids: ["a", "b"], hasStart: true, hasEnd: false }
  expect(linkRows(page, { connect: [{ id: "x" }] }).map(({ id }) => id)).toEqual(["a", "b", "x"])
})

test("a moved link takes the place of another one, by one move", () => {
  expect(withLinkAt({}, { id: "a", at: "c" }, ALL)).toEqual({ move: [{ id: "a", after: "c" }] })
  expect(withLinkAt({}, { id: "c", at: "b" }, ALL)).toEqual({ move: [{ id: "c", after: "a" }] })
  expect(withLinkAt({}, { id: "d", at: "a" }, ALL)).toEqual({ move: [{ id: "d", before: "a" }] })
  const there = withLinkAt({}, { id: "a", at: "b" }, ALL)
  expect(withLinkAt(there ?? {}, { id: "a", at: "b" }, ALL)).toBeUndefined()
})

test("a removed link is named by no move", () => {
  const moved = withLinkAt({}, { id: "a", at: "c" }, ALL)
  expect(moved?.move).toEqual([{ id: "a", after: "c" }])

  const removed = withoutLink(moved ?? {}, "c", ALL)

  expect(removed?.disconnect).toEqual([{ id: "c" }])
  expect(JSON.stringify(removed?.move)).not.toContain('"c"')
  expect(keptOrder(ALL, removed)).toEqual(["b", "a", "d"])
})

test("a link can be moved to the start from any page, and leaves its page", () => {
  const page: ShownLinks = { ids: ["k", "l", "m"], hasStart: false, hasEnd: false }
  const moved = withLinkAtEnd({}, "l", "start")
  expect(linkRows(page, moved ?? {}).map(({ id }) => id)).toEqual(["k", "m"])

  const more = withLinkAt(moved ?? {}, { id: "m", at: "k" }, page)
  expect(more?.move).toEqual([
    { id: "l", to: "start" },
    { id: "m", before: "k" },
  ])
})

test("records that are created with the record are kept beside the links", () => {
  expect(withNewRecord({ disconnect: [{ id: "a" }] }, { text: "one" })).toEqual({
    disconnect: [{ id: "a" }],
    create: [{ text: "one" }],
  })
})

test("the moves between two random orders lead from one to the other, whatever stands around them", () => {
  for (let seed = 1; seed <= 500; seed++) {
    const random = randomOf(seed)
    const ids = Array.from({ length: 1 + Math.floor(random() * 9) }, (_, index) => `r${index}`)
    const wanted = ids.toSorted(() => random() - 0.5)
    const moves = movesBetween(ids, wanted, wanted[seed % wanted.length])

    expect(movedIds(ids, moves, { hasStart: true, hasEnd: true })).toEqual(wanted)
    expect(asServer(["before", ...ids, "behind"], moves)).toEqual(["before", ...wanted, "behind"])
    expect(moves.length).toBeLessThan(ids.length)
  }
})

test("random gestures on a page are what the server then does with the edit", () => {
  for (let seed = 1; seed <= 500; seed++) {
    const random = randomOf(seed)
    const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ""
    const shown: ShownLinks = { ids: ["a", "b", "c", "d", "e"], hasStart: true, hasEnd: true }
    let edit: LinksEdit = {}
    for (let step = 0; step < 8; step++) {
      const rows = linkRows(shown, edit)
      const kept = rows.filter(({ change }) => change !== "removed").map(({ id }) => id)
      const gestures = [
        () => withLinkAt(edit, { id: pick(kept), at: pick(kept) }, shown),
        () => withoutLink(edit, pick(kept), shown),
        () => withLink(edit, pick(["x", "y", "z", ...shown.ids]), shown),
        () => withLinkAtEnd(edit, pick(kept), random() < 0.5 ? "start" : "end"),
      ]
      if (kept.length === 0) break
      edit = gestures[Math.floor(random() * gestures.length)]?.() ?? {}
    }
    expect(afterSave(shown.ids, edit), `seed ${seed}`).toEqual(keptOrder(shown, edit))
  }
})

function keptOrder(shown: ShownLinks, edit: LinksEdit | undefined): string[] {
  return linkRows(shown, edit ?? {})
    .filter(({ change }) => change !== "removed")
    .map(({ id }) => id)
}

// The order of operations is that of the documentation: disconnect, connect, move.
function afterSave(ids: readonly string[], { disconnect = [], connect = [], move = [] }: LinksEdit): string[] {
  const left = ids.filter((id) => !disconnect.some((target) => target.id === id))
  const added = connect.map(({ id }) => id).filter((id) => !left.includes(id))
  return asServer([...left, ...added], move)
}

function asServer(ids: readonly string[], moves: readonly Move[]): string[] {
  let order = [...ids]
  for (const move of moves) {
    if (!order.includes(move.id)) throw new Error(`${move.id} is not related`)
    order = order.filter((id) => id !== move.id)
    if ("to" in move) order.splice(move.to === "start" ? 0 : order.length, 0, move.id)
    else {
      const neighbor = "before" in move ? move.before : move.after
      if (!order.includes(neighbor)) throw new Error(`${neighbor} is not related`)
      order.splice(order.indexOf(neighbor) + ("before" in move ? 0 : 1), 0, move.id)
    }
  }
  return order
}

function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648
  }
}
