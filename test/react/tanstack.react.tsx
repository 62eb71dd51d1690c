import {
  dehydrate,
  hydrate,
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useSuspenseQuery,
} from "@tanstack/react-query"
import { collection, global, route } from "kit"
import { queryOptions } from "kit/tanstack"
import { type ReactNode, StrictMode, Suspense } from "react"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { asServer, type Mounted, mount } from "./support/page.ts"

const WAIT = { timeout: 60_000 }
const OPEN = { read: true, create: true, update: true, delete: true }

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required(), at: f.datetime(), size: f.number().bigint() }))
  .access(OPEN)
const notes = collection("notes")
  .fields(({ f }) => ({ text: f.text().required() }))
  // A live query asks a rule again when the records that it has read change.
  .access({ ...OPEN, read: async ({ asSystem }) => (await asSystem().collections["keys"]?.count()) !== 0 })
const keys = collection("keys")
  .fields(({ f }) => ({ holder: f.text() }))
  .access(OPEN)
const settings = global("settings")
  .fields(({ f }) => ({ motto: f.text().localized() }))
  .access({ read: true, update: true })
const greet = route()
  .get()
  .access(true)
  .handler(({ input, locale }) => ({ greeting: `Hello ${(input as any).name}`, locale }))
const shout = route()
  .post()
  .access(true)
  .handler(({ input, locale }) => ({ shouted: String((input as any).word).toUpperCase(), locale }))

let app: TestApp
let client: ReturnType<TestApp["client"]>
let queries: QueryClient
let requests: string[]
let pages: Mounted[]

beforeAll(async () => {
  app = await testApp({
    resources: [posts, notes, keys, settings],
    routes: { greet, shout },
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
})

afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  await app.database.query('truncate posts, notes, keys, "global_settings" cascade')
  requests = []
  pages = []
  client = app.client(undefined, { fetch: counted })
  queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
})

afterEach(() => {
  for (const page of pages) page.unmount()
  queries.clear()
  client.realtime.destroy()
})

const counted: typeof fetch = (url, init) => {
  const { pathname } = new URL(String(url))
  requests.push(`${init?.method} ${pathname}`)
  return fetch(url, init)
}
const reads = () => requests.filter((request) => request === "GET /api/posts").length

/** The factories without types, which have their own tests. */
const factories = (settings?: object): any => queryOptions(client as never, settings)

function show(node: ReactNode): Mounted {
  const page = mount(<QueryClientProvider client={queries}>{node}</QueryClientProvider>)
  pages.push(page)
  return page
}

const titles = (page: any): string => page?.docs.map(({ title }: any) => title).join(", ")
const shown = (page: Mounted, text: string) => vi.waitFor(() => expect(page.text).toBe(text), WAIT)
const topics = (count: number) => vi.waitFor(() => expect(client.realtime.topicCount).toBe(count), WAIT)

function List({ options }: { options: any }) {
  const { status, data } = useQuery<any>(options)
  return `${status}: ${titles(data)}`
}

function SuspendedList({ options }: { options: any }) {
  return titles(useSuspenseQuery<any>(options).data)
}

function Facts({ q, id }: { q: any; id: string }) {
  const record = useQuery<any>(q.posts.record(id).live({ columns: { title: true } })).data
  const total = useQuery<any>(q.posts.total.live()).data
  const motto = useQuery<any>(q.globals.settings.live()).data?.motto
  return `${record?.title} ${total} ${motto}`
}

function Notes({ q }: { q: any }) {
  const { status, data, error } = useQuery<any>(q.notes.live())
  return `${status} ${data?.docs.length} ${(error as any)?.code}`
}

function Pages({ options }: { options: any }) {
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery<any>(options)
  return (
    <button type="button" onClick={() => fetchNextPage()}>
      {`${data?.pages.map(titles).join(" | ")} ${hasNextPage}`}
    </button>
  )
}

function Form({ options, data }: { options: any; data: object }) {
  const { mutate, status, error } = useMutation<any, any, any>(options)
  return <button type="button" onClick={() => mutate(data)}>{`${status} ${error?.code}`}</button>
}

describe("a live query", () => {
  test("suspends until its first result, follows it, and leaves no topic when it is unmounted", async () => {
    const q = factories()
    await client.collections["posts"].create({ title: "One", at: new Date(0) })
    const options = q.posts.live({ where: { at: { gte: new Date(0) } }, orderBy: { title: "asc" } })

    const page = show(
      <StrictMode>
        <Suspense fallback="waiting">
          <SuspendedList options={options} />
        </Suspense>
      </StrictMode>,
    )
    await shown(page, "waiting")
    await shown(page, "One")
    await client.collections["posts"].create({ title: "Two", at: new Date(1) })
    await shown(page, "One, Two")
    expect(client.realtime.topicCount).toBe(1)
    page.unmount()

    await topics(0)
    expect(reads()).toBe(0)
  })

  test("is one topic for many components, and stays live until the last of them is unmounted", async () => {
    const q = factories()
    const options = q.posts.live()
    const first = show(Array.from({ length: 25 }, (_, index) => <List key={String(index)} options={options} />))
    const second = show(<List options={q.posts.live({})} />)
    await shown(second, "success: ")
    expect(client.realtime.subscriberCount).toBe(1)

    first.unmount()
    await client.collections["posts"].create({ title: "One" })

    await shown(second, "success: One")
    second.unmount()
    await topics(0)
  })

  test("keeps the identity of the records that have not changed, although they have dates", async () => {
    const q = factories()
    const { posts } = client.collections as any
    const [one, two] = [await posts.create({ title: "One" }), await posts.create({ title: "Two" })]
    const options = q.posts.live({ orderBy: { createdAt: "asc" } })
    const page = show(<List options={options} />)
    await shown(page, "success: One, Two")
    const before = queries.getQueryData<any>(options.queryKey).docs

    await posts.update({ id: two.id, data: { title: "2" } })
    await shown(page, "success: One, 2")

    const after = queries.getQueryData<any>(options.queryKey).docs
    expect(after[0].id).toBe(one.id)
    expect(after[0]).toBe(before[0])
    expect(after[1]).not.toBe(before[1])
  })

  test("is not disturbed by an invalidation, and answers it without a request", async () => {
    const q = factories()
    const page = show(<List options={q.posts.live()} />)
    await shown(page, "success: ")
    const before = [...requests]

    await queries.invalidateQueries(q.posts.filter())
    expect(requests).toEqual(before)
    expect(client.realtime.subscriberCount).toBe(1)

    await client.collections["posts"].create({ title: "One" })
    await shown(page, "success: One")
  })

  test("keeps its newest result when an older answer of find arrives under the same key", async () => {
    const q = factories()
    const page = show(<List options={q.posts.live()} />)
    await shown(page, "success: ")
    const old = await client.collections["posts"].find()
    await client.collections["posts"].create({ title: "One" })
    await shown(page, "success: One")

    await queries.fetchQuery({ ...q.posts.find(), queryFn: () => old, staleTime: 0 })

    expect(titles(queries.getQueryData(q.posts.find().queryKey))).toBe("One")
  })

  test("is live again when it is shown again, whatever was cached meanwhile", async () => {
    const q = factories()
    const options = q.posts.live()
    const page = show(<List options={options} />)
    await shown(page, "success: ")
    page.unmount()
    await topics(0)
    await client.collections["posts"].create({ title: "One" })

    const again = show(
      <Suspense>
        <SuspendedList options={options} />
      </Suspense>,
    )

    await shown(again, "One")
    await topics(1)
  })

  test("follows other options as soon as it has them, and forgets the former ones", async () => {
    const q = factories()
    await client.collections["posts"].create({ title: "One" })
    const node = (title: string) => (
      <QueryClientProvider client={queries}>
        <List options={q.posts.live({ where: { title } })} />
      </QueryClientProvider>
    )
    const page = show(null)
    page.render(node("One"))
    await shown(page, "success: One")

    page.render(node("Two"))
    await shown(page, "success: ")
    await client.collections["posts"].create({ title: "Two" })

    await shown(page, "success: Two")
    await topics(1)
  })

  test("is not followed while all of its components have disabled it", async () => {
    const q = factories()
    const node = (enabled: boolean) => (
      <QueryClientProvider client={queries}>
        <List options={{ ...q.posts.live(), enabled }} />
      </QueryClientProvider>
    )
    const page = show(null)
    page.render(node(true))
    await shown(page, "success: ")

    page.render(node(false))
    await topics(0)
    await client.collections["posts"].create({ title: "One" })
    expect(page.text).toBe("success: ")
    page.render(node(true))

    await shown(page, "success: One")
    await topics(1)
  })

  test("goes live over data that a server has rendered, however young it is", async () => {
    const q = factories()
    await client.collections["posts"].create({ title: "One" })
    const state = await asServer(async () => {
      const onServer = new QueryClient()
      await onServer.prefetchQuery(q.posts.live())
      return dehydrate(onServer)
    })
    expect(client.realtime.subscriberCount).toBe(0)
    expect(reads()).toBe(1)

    hydrate(queries, state)
    const page = show(
      <Suspense fallback="waiting">
        <SuspendedList options={q.posts.live()} />
      </Suspense>,
    )
    await shown(page, "One")
    await client.collections["posts"].create({ title: "Two" })

    await vi.waitFor(() => expect(page.text.split(", ").sort()).toEqual(["One", "Two"]), WAIT)
  })

  test("that nobody observes after a prefetch ends", async () => {
    const q = factories()
    await client.collections["posts"].create({ title: "One" })

    await queries.prefetchQuery(q.posts.live())

    expect(titles(queries.getQueryData(q.posts.live().queryKey))).toBe("One")
    expect(client.realtime.topicCount).toBe(1)
    await topics(0)
  })

  test("follows one record, a number and a global", async () => {
    const q = factories()
    const { id } = await client.collections["posts"].create({ title: "One" })
    const page = show(<Facts q={q} id={id} />)
    await shown(page, "One 1 undefined")

    await client.collections["posts"].update({ id, data: { title: "1" } })
    await client.collections["posts"].create({ title: "Two" })
    await client.globals["settings"].update({ motto: "Onward" })
    await shown(page, "1 2 Onward")
    await client.collections["posts"].delete({ id })

    await shown(page, "undefined 1 Onward")
    expect(queries.getQueryData(q.posts.record(id).get({ columns: { title: true } }).queryKey)).toBeNull()
  })

  test("has the error of a read that the server refuses, also if it allowed it before", async () => {
    const q = factories()
    const { id } = await client.collections["keys"].create({ holder: "Eva" })
    const page = show(<Notes q={q} />)
    await shown(page, "success 0 undefined")

    await client.collections["keys"].delete({ id })
    await shown(page, "error 0 UNAUTHORIZED")
    await client.collections["keys"].create({ holder: "Eva" })
    await client.collections["notes"].create({ text: "One" })
    await queries.invalidateQueries(q.notes.filter())

    await shown(page, "success 1 undefined")
  })
})

describe("a query that reads once", () => {
  test("loads page after page", async () => {
    const q = factories()
    for (const title of ["1", "2", "3", "4", "5"]) await client.collections["posts"].create({ title })
    const page = show(<Pages options={q.posts.pages({ orderBy: { title: "asc" }, limit: 2 })} />)

    await shown(page, "1, 2 true")
    page.click()
    await shown(page, "1, 2 | 3, 4 true")
    page.click()
    await shown(page, "1, 2 | 3, 4 | 5 false")
  })

  test("loads page after page by cursors, whatever is written before them meanwhile", async () => {
    const q = factories()
    for (const title of ["1", "2", "3", "4"]) await client.collections["posts"].create({ title })
    const page = show(<Pages options={q.posts.cursorPages({ orderBy: { title: "asc" }, limit: 2 })} />)

    await shown(page, "1, 2 true")
    await client.collections["posts"].create({ title: "0" })
    page.click()
    await shown(page, "1, 2 | 3, 4 false")
    await queries.invalidateQueries(q.posts.filter())
    await shown(page, "0, 1 | 2, 3 true")
  })

  test("is read again after a write of its collection, and a live one is not", async () => {
    const q = factories()
    const once = show(<List options={q.posts.find({ orderBy: { title: "asc" } })} />)
    const live = show(<List options={q.posts.live()} />)
    const others = show(<List options={q.keys.find()} />)
    await Promise.all([once, live, others].map((page) => shown(page, "success: ")))
    const form = show(<Form options={q.posts.create()} data={{ title: "One" }} />)
    await shown(form, "idle undefined")

    form.click()

    await shown(once, "success: One")
    await shown(live, "success: One")
    expect(reads()).toBe(2)
    expect(requests.filter((request) => request === "GET /api/keys")).toHaveLength(1)
  })

  test("is a call of a route, and a write is another one", async () => {
    const q = factories()

    expect(await queries.fetchQuery<any>(q.routes.greet.get({ name: "Eva" }))).toMatchObject({ greeting: "Hello Eva" })
    expect(q.routes.greet.get({ name: "Eva" }).queryKey).toEqual([
      "kit",
      "routes",
      "greet",
      "get",
      null,
      { name: "Eva" },
    ])
    const { mutationKey, mutationFn } = q.routes.shout()
    expect(mutationKey).toEqual(["kit", "routes", "shout"])
    expect(await mutationFn({ word: "hi" })).toMatchObject({ shouted: "HI" })
  })

  test("has the locale of the settings, of the client, or of its own options", async () => {
    await client.globals["settings"].update({ motto: "Onward" })
    await client.globals["settings"].update({ motto: "Vpred" }, { locale: "sk" })
    const mottoOf = async (options: any) => (await queries.fetchQuery<any>(options)).motto

    expect(await mottoOf(factories().globals.settings.get())).toBe("Onward")
    expect(await mottoOf(factories({ locale: "sk" }).globals.settings.get())).toBe("Vpred")
    expect(await mottoOf(factories({ locale: "sk" }).globals.settings.get({ locale: "en" }))).toBe("Onward")
    client.setLocale("sk")
    expect(await mottoOf(factories().globals.settings.get())).toBe("Vpred")
    await factories({ locale: "en" }).globals.settings.update().mutationFn({ motto: "Upward" })
    expect(await client.globals["settings"].get({ locale: "en" })).toMatchObject({ motto: "Upward" })
  })

  test("keeps the locale of its key when it is read again", async () => {
    await client.globals["settings"].update({ motto: "Onward" })
    await client.globals["settings"].update({ motto: "Vpred" }, { locale: "sk" })
    client.setLocale("en")
    const { settings } = factories().globals
    const [once, live] = [settings.get(), settings.live()]
    const mottoOf = async (options: any) => (await queries.fetchQuery<any>({ ...options, staleTime: 0 })).motto

    client.setLocale("sk")

    expect(await mottoOf(once)).toBe("Onward")
    expect(await mottoOf(live)).toBe("Onward")
    expect(await mottoOf(settings.get())).toBe("Vpred")
  })

  test("of a route has the locale of the settings", async () => {
    const { greet, shout } = factories({ locale: "sk" }).routes

    expect(await queries.fetchQuery<any>(greet.get({ name: "Eva" }))).toMatchObject({ locale: "sk" })
    expect(await shout().mutationFn({ word: "hi" })).toMatchObject({ locale: "sk" })
  })
})

describe("a key", () => {
  test("is plain JSON with the locale, the stage and the options", () => {
    const q = factories({ keyPrefix: "blog" })
    const where = { at: { gte: new Date(0) }, size: 2n ** 60n }

    const { queryKey } = q.posts.find({ where, stage: "draft", locale: "sk", limit: undefined })

    const plain = { where: { at: { gte: "1970-01-01T00:00:00.000Z" }, size: String(2n ** 60n) } }
    expect(queryKey).toEqual(["blog", "collections", "posts", "find", "sk", "draft", plain])
    expect(q.posts.live({ where, stage: "draft", locale: "sk" }).queryKey).toEqual(queryKey)
    expect(q.collections.posts.key()).toEqual(["blog", "collections", "posts"])
    expect(q.globals.settings.key()).toEqual(["blog", "globals", "settings"])
  })

  test("keeps the order of the fields of orderBy, which TanStack Query would sort", async () => {
    const q = factories()
    const { posts } = client.collections as any
    for (const [title, size] of [
      ["a", 1],
      ["b", 1],
      ["a", 2],
    ])
      await posts.create({ title, size })
    const read = async (orderBy: object) =>
      (await queries.fetchQuery<any>({ ...q.posts.find({ orderBy }), staleTime: 9_999 })).docs

    const byTitle = await read({ title: "desc", size: "desc" })
    const bySize = await read({ size: "desc", title: "desc" })

    const shownOf = (docs: any[]) => docs.map(({ title, size }) => `${title}${size}`)
    expect(shownOf(byTitle)).toEqual(["b1", "a2", "a1"])
    expect(shownOf(bySize)).toEqual(["a2", "b1", "a1"])
  })

  test("is refused for a filter with an undefined condition, which would be that of an unfiltered read", () => {
    expect(() => factories().posts.find({ where: { title: undefined } })).toThrow("undefined")
  })

  test("filters the reads of a collection, or the lists with these options and more", async () => {
    const q = factories()
    await queries.fetchQuery(q.posts.find({ where: { title: "a" }, limit: 1 }))
    await queries.fetchQuery(q.posts.find({ where: { title: "b" } }))
    await queries.fetchQuery(q.posts.count())
    await queries.fetchQuery(q.keys.find())

    expect(queries.getQueryCache().findAll(q.posts.filter())).toHaveLength(3)
    expect(queries.getQueryCache().findAll(q.posts.filter({ where: { title: "a" } }))).toHaveLength(1)
  })
})
