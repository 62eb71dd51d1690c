import { collection } from "kit"
import { type InfiniteResult, useInfinite } from "kit/react-infinite"
import { StrictMode } from "react"
import { expect, test, vi } from "vitest"
import { type SeededRandom, seededRandom } from "../support/seeded-random.ts"
import { Probe } from "./support/probe.tsx"
import { readsWorld, WAIT } from "./support/reads-world.ts"

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required(), rank: f.number().integer() }))
  .access({ read: true, create: true, update: true, delete: true })

const world = readsWorld<"posts">({ resources: [posts] })

const BY_TITLE = { orderBy: { title: "asc" }, limit: 3 } as const

type Shown = InfiniteResult<readonly unknown[]>
type Docs = readonly { readonly title?: unknown }[]

const titles = (docs: Docs) => docs.map(({ title }) => title)
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_none, index) => `Post ${String(from + index).padStart(3, "0")}`)

/** Shows the titles of an endless list, and returns every result that React has committed. */
function show(options: object | null = BY_TITLE) {
  const results: Shown[] = []
  const nodeOf = (given: object | null) => (
    <StrictMode>
      <Probe
        useResult={() => useInfinite(world.client.collections.posts, given, { select: titles })}
        onCommit={(result) => results.push(result as Shown)}
      />
    </StrictMode>
  )
  const page = world.mount(nodeOf(options))
  return {
    results,
    get last(): Shown {
      const last = results.at(-1)
      if (!last) throw new Error("Nothing was rendered yet.")
      return last
    },
    render: (other: object | null) => page.render(nodeOf(other)),
    unmount: () => page.unmount(),
    shows: (expected: unknown) =>
      vi.waitFor(
        () => expect(results.at(-1)).toMatchObject({ status: "live", isLoadingMore: false, data: expected }),
        WAIT,
      ),
  }
}

const store = (names: readonly string[]) =>
  Promise.all(names.map((title) => world.client.collections.posts.create({ title })))

test("an endless list shows its first records, then more of them until there are no others", async () => {
  await store(numbered(1, 7))

  const list = show()
  await list.shows(numbered(1, 3))
  const first = list.last
  first.loadMore()
  await list.shows(numbered(1, 6))
  const second = list.last
  second.loadMore()
  await list.shows(numbered(1, 7))
  const third = list.last
  third.loadMore()
  list.unmount()

  expect([first, second, third].map(({ hasNextPage }) => hasNextPage)).toEqual([true, true, false])
  expect([first, third].map(({ totalDocs }) => totalDocs)).toEqual([-1, -1])
  expect(third.loadMore).toBe(first.loadMore)
  expect(list.results[0]).toMatchObject({
    status: "pending",
    data: undefined,
    hasNextPage: false,
    isLoadingMore: false,
  })
  expect(list.results.some(({ isLoadingMore }) => isLoadingMore)).toBe(true)
  await vi.waitFor(() => expect(world.client.realtime.topicCount).toBe(0), WAIT)
})

test("what was shown stays while more is loaded: no record is away for a moment, or twice", async () => {
  await store(numbered(1, 12))
  const list = show()

  for (const count of [3, 6, 9, 12]) {
    await list.shows(numbered(1, count))
    list.last.loadMore()
  }

  const shown = list.results.flatMap(({ data }) => (data ? [data.length] : []))
  expect(shown).toEqual([...shown].sort((one, other) => one - other))
  expect(new Set(shown)).toEqual(new Set([3, 6, 9, 12]))
})

test("a new record appears where it belongs, between two pages, too, and a deleted one goes", async () => {
  const { posts } = world.client.collections
  await store(numbered(1, 7))
  const list = show()
  await list.shows(numbered(1, 3))
  list.last.loadMore()
  await list.shows(numbered(1, 6))

  await posts.create({ title: "Post 000" })
  await list.shows(["Post 000", ...numbered(1, 6)])
  await posts.create({ title: "Post 003b" })
  await list.shows(["Post 000", ...numbered(1, 3), "Post 003b", ...numbered(4, 5)])
  await posts.deleteMany({ where: { title: { in: ["Post 002", "Post 003b"] } } })
  await list.shows(["Post 000", "Post 001", "Post 003", ...numbered(4, 6)])
  list.last.loadMore()

  await list.shows(["Post 000", "Post 001", "Post 003", ...numbered(4, 7)])
})

test("a page that new records make too long becomes two, and none of its records goes away for a moment", async () => {
  await store(numbered(50, 56))
  const list = show()
  await list.shows(numbered(50, 52))
  list.last.loadMore()
  await list.shows(numbered(50, 55))
  list.results.length = 0

  for (let number = 49; number > 29; number -= 1) {
    await store(numbered(number, number))
    await list.shows(numbered(number, 55))
  }

  const lengths = list.results.map(({ data }) => data?.length ?? 0)
  expect(lengths).toEqual([...lengths].sort((one, other) => one - other))
  // Each page but the last has at least as many records as were asked for.
  await vi.waitFor(() => expect(world.client.realtime.topicCount).toBeLessThanOrEqual(1 + 23 / 3), WAIT)
})

test("the total is that of the whole list, if it is asked for", async () => {
  await store(numbered(1, 7))
  const list = show({ ...BY_TITLE, total: { max: 5 } })

  await list.shows(numbered(1, 3))
  list.last.loadMore()
  await list.shows(numbered(1, 6))

  expect(list.last).toMatchObject({ totalDocs: 5, totalIs: "atLeast" })
})

test("options that change keep the old records until the new ones are there, and options that are null show none", async () => {
  await store(numbered(1, 7))
  const list = show()
  await list.shows(numbered(1, 3))
  list.last.loadMore()
  await list.shows(numbered(1, 6))
  list.results.length = 0

  list.render({ ...BY_TITLE, orderBy: { title: "desc" } })
  await list.shows(numbered(5, 7).reverse())
  const shown = list.results.map(({ data }) => data?.length)
  list.render(null)
  await vi.waitFor(() => expect(list.last).toMatchObject({ status: "idle", data: undefined, hasNextPage: false }), WAIT)

  expect(shown.every((length) => length === 6 || length === 3)).toBe(true)
  await vi.waitFor(() => expect(world.client.realtime.topicCount).toBe(0), WAIT)
})

test("options that the server refuses are an error", async () => {
  const list = show({ where: { nothing: 1 } })

  await vi.waitFor(() => expect(list.last.status).toBe("error"), WAIT)

  expect(list.last.error).toMatchObject({ code: "VALIDATION_ERROR" })
  expect(list.last).toMatchObject({ data: undefined, hasNextPage: false, isLoadingMore: false })
})

test("a list goes on after the connection was away", async () => {
  await store(numbered(1, 7))
  const list = show()
  await list.shows(numbered(1, 3))
  list.last.loadMore()
  await list.shows(numbered(1, 6))

  world.network.cut()
  await vi.waitFor(() => expect(list.last.status).toBe("stale"), WAIT)
  const away = list.last
  world.network.repair()
  await list.shows(numbered(1, 6))
  await store(["Post 001b"])

  await list.shows(["Post 001", "Post 001b", ...numbered(2, 6)])
  expect(away.data).toEqual(numbered(1, 6))
})

test("what was refused can be loaded again, and the records stay meanwhile", async () => {
  await store(numbered(1, 7))
  const list = show()
  await list.shows(numbered(1, 3))

  world.network.refuseNext()
  list.last.loadMore()
  await vi.waitFor(() => expect(list.last.status).toBe("error"), WAIT)
  const refused = list.last
  refused.loadMore()
  await list.shows(numbered(1, 6))
  await store(["Post 001b"])

  // The first page is live again, too.
  await list.shows(["Post 001", "Post 001b", ...numbered(2, 6)])
  expect(refused).toMatchObject({ data: numbered(1, 3), error: { message: "Not today." }, isLoadingMore: false })
})

test("a handle that is no collection is refused", () => {
  const { posts } = world.client.collections
  vi.spyOn(console, "error").mockImplementation(() => {})

  // @ts-expect-error A record has no list.
  const use = () => useInfinite(posts.record("x"), {})

  expect(use).toThrow("useInfinite takes a collection")
})

const WRITES = 40
const BY_RANK = [{ rank: "desc" }, { title: "asc" }] as const

test("whatever is written, the list is the beginning of what find returns, and no record is in it twice", async () => {
  const random = seededRandom()
  await store(numbered(1, 20))
  const list = show({ orderBy: BY_RANK, limit: 4 })
  await list.shows(numbered(1, 4))

  for (let number = 0; number < WRITES; number += 1) {
    await writeAny(random, number)
    if (random.below(3) === 0) list.last.loadMore()
    if (random.below(4) === 0) await isBeginningOfFind(list, random)
  }
  await isBeginningOfFind(list, random)

  const withRepeated = list.results.filter(({ data = [] }) => new Set(data).size < data.length)
  expect(withRepeated, `KIT_SEED=${random.seed}`).toEqual([])
})

/** Creates a record, or deletes or moves one of those that are there. */
async function writeAny(random: SeededRandom, number: number): Promise<void> {
  const { posts } = world.client.collections
  const rank = [null, 1, 2, 3][random.below(4)]
  const { docs } = await posts.find({ limit: 1000 })
  const id = String(docs[random.below(docs.length)]?.["id"])
  const kind = random.below(5)
  if (kind === 0) await posts.delete({ id })
  else if (kind === 1) await posts.update({ id, data: { rank } })
  else await posts.create({ title: `New ${number}`, rank })
}

async function isBeginningOfFind({ results }: ReturnType<typeof show>, { seed }: SeededRandom): Promise<void> {
  const { docs } = await world.client.collections.posts.find({ orderBy: BY_RANK, limit: 1000 })
  await vi.waitFor(() => {
    const { data = [], ...last } = results.at(-1) ?? {}
    expect(last).toMatchObject({ status: "live", isLoadingMore: false, hasNextPage: data.length < docs.length })
    expect(data, `KIT_SEED=${seed}`).toEqual(titles(docs).slice(0, data.length))
    expect(data.length).toBeGreaterThanOrEqual(Math.min(4, docs.length))
  }, WAIT)
}
