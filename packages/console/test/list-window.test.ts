import { expect, test } from "vitest"
import { pageOptions, type ReadPage } from "../src/kit/list-window/list-pages.ts"
import { ListWindow } from "../src/kit/list-window/list-window.ts"
import { PAGE_SIZE } from "../src/kit/list-window/page-size.ts"

/** A list on a server, whose cursors are places between its records. */
class Server {
  list: string[]

  constructor(length: number) {
    this.list = Array.from({ length }, (_, place) => `r${place}`)
  }

  /** Answers what every followed page of the window asks for. */
  answer(window: ListWindow): void {
    for (const page of window.followedPages()) window.receive(page.key, this.#read(pageOptions(page)))
  }

  #read({ after, before, limit }: ReturnType<typeof pageOptions>): ReadPage {
    const from = after === undefined || after === null ? 0 : this.#placeOf(after)
    const to = before === undefined || before === null ? this.list.length : this.#placeOf(before)
    const isBackwards = after === undefined
    const start = isBackwards ? Math.max(from, to - limit) : from
    const end = isBackwards ? to : Math.min(to, from + limit)
    return {
      docs: this.list.slice(start, end).map((id) => ({ id })),
      startCursor: this.#cursorAt(start),
      endCursor: this.#cursorAt(end),
      hasPrevPage: start > 0,
      hasNextPage: after !== undefined && before !== undefined ? end < to : end < this.list.length,
    }
  }

  // A cursor is behind a record: it stays there when others are inserted.
  #cursorAt(place: number): string {
    return this.list[place - 1] ?? "start"
  }

  #placeOf(cursor: string): number {
    return cursor === "start" ? 0 : this.list.indexOf(cursor) + 1
  }
}

const idsOf = (window: ListWindow) => window.read().rows.map(({ id }) => id)

function scroll(window: ListWindow, server: Server, first: number): void {
  const { offset } = window.read()
  window.setInView({ first: first - offset, last: first - offset + 15 })
  server.answer(window)
}

test("a list is read on as it is scrolled, and has every record once", () => {
  const [window, server] = [new ListWindow(), new Server(1000)]
  server.answer(window)
  for (let first = 0; first < 1000; first += 10) scroll(window, server, first)

  expect(idsOf(window)).toEqual(server.list)
  expect(window.read().isToEnd).toBe(true)
})

test("only pages near to what is in view are followed", () => {
  const [window, server] = [new ListWindow(), new Server(10_000)]
  server.answer(window)
  for (let first = 0; first < 5000; first += 10) scroll(window, server, first)

  expect(window.followedPages().length).toBeLessThanOrEqual(3)
})

test("a list that begins at its end is read back to its beginning", () => {
  const [window, server] = [new ListWindow(), new Server(730)]
  window.restart({ before: null }, 730 - PAGE_SIZE)
  server.answer(window)
  for (let first = 715; first >= 0; first -= 5) scroll(window, server, first)

  expect(idsOf(window)).toEqual(server.list)
  expect(window.read()).toMatchObject({ offset: 0, isFromStart: true, isToEnd: true })
})

test("a view that is far from what was read does not read all that lies between", () => {
  const [window, server] = [new ListWindow(), new Server(10_000)]
  window.restart({ before: null }, 9900)
  server.answer(window)
  const { pages } = window.read()
  scroll(window, server, 0)

  expect(window.read().pages.length).toBe(pages.length)
})

test("the place from which a jump starts is the nearest one that is known", () => {
  const [window, server] = [new ListWindow(), new Server(5000)]
  window.restart({ after: "r1999" }, 2000)
  server.answer(window)

  expect(window.cursorNear(3000)).toEqual({ cursor: "r2099", place: 2100 })
  expect(window.cursorNear(500)).toEqual({ cursor: null, place: 0 })
})

test("a new record above the rows in view waits until it is asked for", () => {
  const [window, server] = [new ListWindow(), new Server(300)]
  server.answer(window)
  scroll(window, server, 0)
  server.list.unshift("new")
  server.answer(window)

  expect(window.read()).toMatchObject({ newCount: 1, movedCount: 0 })
  expect(idsOf(window)).not.toContain("new")

  window.release()
  expect(idsOf(window)[0]).toBe("new")
  expect(window.read().newCount).toBe(0)
})

test("a page into which many records have come at once stays whole", () => {
  const [window, server] = [new ListWindow(), new Server(300)]
  server.answer(window)
  for (let first = 0; first < 120; first += 10) scroll(window, server, first)
  server.list.splice(50, 0, ...Array.from({ length: 450 }, (_, place) => `new${place}`))
  window.setInView({ first: 0, last: 40 })
  for (let round = 0; round < 8; round += 1) server.answer(window)
  window.release()
  server.answer(window)

  const shown = idsOf(window)
  expect(shown).toEqual(server.list.slice(0, shown.length))
  expect(shown.length).toBeGreaterThan(550)
})
