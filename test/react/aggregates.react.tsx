import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import { collection } from "kit"
import { useAggregate, useLiveAggregate } from "kit/react-reads"
import { queryOptions } from "kit/tanstack"
import { StrictMode } from "react"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { Network } from "./support/network.ts"
import { type Mounted, mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"

const WAIT = { timeout: 60_000 }

const posts = collection("posts")
  .fields(({ f }) => ({ kind: f.text().required(), words: f.number().integer() }))
  .access({ read: true, create: true })

const BY_KIND = { groupBy: "kind", sum: { words: true } } as const
const group = (kind: string, words: number) => ({ key: { kind }, sum: { words } })

/** The hooks without types, which have their own tests. */
const useSums: any = useAggregate
const useLiveSums: any = useLiveAggregate

let app: TestApp
let client: ReturnType<TestApp["client"]>
let network: Network
let page: Mounted | undefined

beforeAll(async () => {
  app = await testApp({ resources: [posts] })
})
afterAll(() => app[Symbol.asyncDispose]())

beforeEach(async () => {
  await app.database.query("truncate posts cascade")
  network = new Network()
  client = app.client(undefined, { fetch: network.fetch })
  await client.collections["posts"].create({ kind: "news", words: 3 })
})
afterEach(() => {
  page?.unmount()
  client.realtime.destroy()
})

/** Shows the result of a hook twice, in strict mode, and returns every result that was committed. */
function shown<Result>(useResult: () => Result): Result[] {
  const results: Result[] = []
  const probe = <Probe useResult={useResult} onCommit={(result) => results.push(result)} />
  page = mount(
    <StrictMode>
      {probe}
      {probe}
    </StrictMode>,
  )
  return results
}

function Sums({ options }: { options: any }) {
  return JSON.stringify(useQuery<any>(options).data?.groups)
}

test("useAggregate reads once for all components with equal options", async () => {
  const results = shown<any>(() => useSums(client.collections["posts"], BY_KIND))

  await vi.waitFor(() => expect(results.at(-1).status).toBe("success"), WAIT)

  expect(results.at(-1).data).toEqual({ groups: [group("news", 3)], hasMore: false })
  expect(network.requestsTo("/_kit/aggregate/posts")).toHaveLength(1)
})

test("options that are null read nothing", async () => {
  const results = shown<any>(() => useSums(client.collections["posts"], null))
  const live = shown<any>(() => useLiveSums(client.collections["posts"], null))

  await vi.waitFor(() => expect([results.length, live.length]).not.toContain(0), WAIT)

  expect([results.at(-1).status, live.at(-1).status]).toEqual(["idle", "idle"])
  expect(network.requestsTo("/_kit/aggregate/posts")).toHaveLength(0)
})

test("useLiveAggregate shows the result, and the new one after each change", async () => {
  const results = shown<any>(() => useLiveSums(client.collections["posts"], BY_KIND))
  await vi.waitFor(() => expect(results.at(-1).data?.groups).toEqual([group("news", 3)]), WAIT)

  await client.collections["posts"].create({ kind: "report", words: 40 })

  await vi.waitFor(() => expect(results.at(-1).data.groups).toEqual([group("news", 3), group("report", 40)]), WAIT)
  expect(client.realtime.topicCount).toBe(1)
})

test("the options for TanStack Query read once, and follow the result under the same key", async () => {
  const q: any = queryOptions(client as never)
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const once = await queries.fetchQuery(q.posts.aggregate(BY_KIND))
  page = mount(
    <QueryClientProvider client={queries}>
      <Sums options={q.posts.aggregates.live(BY_KIND)} />
    </QueryClientProvider>,
  )

  await client.collections["posts"].create({ kind: "news", words: 4 })

  await vi.waitFor(() => expect(page?.text).toBe(JSON.stringify([group("news", 7)])), WAIT)
  queries.clear()
  expect(once).toEqual({ groups: [group("news", 3)], hasMore: false })
  expect(q.posts.aggregate(BY_KIND).queryKey).toEqual(q.posts.aggregates.live(BY_KIND).queryKey)
})
