import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query"
import { channel, collection, users } from "kit"
import { type Client, createClient } from "kit/client"
import type { UntypedApp } from "kit/generated"
import {
  KitProvider,
  type PreloadedEntry,
  preload,
  useChannel,
  useFind,
  useFindSuspense,
  useLive,
  useLiveSuspense,
  usePresence,
  useSession,
} from "kit/react"
import { useInfinite } from "kit/react-infinite"
import { queryOptions } from "kit/tanstack"
import { StrictMode, Suspense } from "react"
import { renderToString } from "react-dom/server"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { cookieJarFetch } from "../support/cookie-jar.ts"
import { type IdentityApp, identityApp, PASSWORD } from "../support/worlds/identity-app.ts"
import { asServer, hydrate, mount } from "./support/page.ts"
import { Probe } from "./support/probe.tsx"

const people = users().access({ read: true })
/** Everyone sees their own letters; callers who are not signed in see those without an owner. */
const letters = collection("letters")
  .fields(({ f }) => ({ text: f.text().required(), owner: f.text() }))
  .access({ read: ({ session }) => ({ owner: session?.user.id ?? null }) })
/** Only callers who are signed in may ask for one. */
const diaries = collection("diaries")
  .fields(({ f }) => ({ text: f.text().required() }))
  .access({ read: ({ session }) => session !== null })
/** A room for callers who are signed in. */
const club = channel("club")
  .access({ subscribe: ({ session }) => session !== null })
  .presence(({ session }) => ({ name: session?.user["name"] }))

const WAIT = { timeout: 60_000 }

let app: IdentityApp
let other: IdentityApp

beforeAll(async () => {
  app = await identityApp({ resources: [people, letters, diaries], channels: { club } })
  other = await identityApp({ resources: [people, letters, diaries], channels: { club }, database: app.database })
})

afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const browser = () => createClient({ baseURL: app.url, fetch: cookieJarFetch() })

/** Returns the status of the session, and the name of its user. */
function useName(client: Client<UntypedApp>) {
  const { status, data } = useSession(client)
  return `${status} ${data === undefined ? "?" : (data?.user["name"] ?? "nobody")}`
}

/** Returns the name of the user, and the first letter that the user may read. */
function useLetters(client: Client<UntypedApp>) {
  const { status, data } = useSession(client)
  const letters = useLive(client.collections["letters"] as never, {}) as { data?: { docs: { text: string }[] } }
  return `${status === "live" ? (data?.user["name"] ?? "nobody") : "?"}: ${letters.data?.docs[0]?.text ?? ""}`
}

/** Returns the name of the user and all letters that were loaded, two at a time. */
function useAllLetters(client: Client<UntypedApp>, onMore: (loadMore: () => void) => void) {
  const { status, data } = useSession(client)
  const letters: any = useInfinite(
    client.collections["letters"] as never,
    { limit: 2, orderBy: { text: "asc" } } as never,
  )
  onMore(letters.loadMore)
  return `${status === "live" ? (data?.user["name"] ?? "nobody") : "?"}: ${letters.data?.map(({ text }: any) => text)}`
}

/** Returns the letters and the diaries, as TanStack Query shows them. */
function useTexts({ letters, diaries }: any): string {
  const results = [useQuery<any>(letters.live()), useQuery<any>(diaries.live())]
  return results.map(({ status, data }) => `${status} ${data?.docs.map(({ text }: any) => text)}`).join()
}

/** Returns the letters that are read once. */
function useReadLetters({ collections }: Client<UntypedApp>): string {
  const { status, data }: any = useFind(collections["letters"] as never)
  return `${status} ${data?.docs.map(({ text }: any) => text)}`
}

/** Returns the names of the members of the club. */
function useMembers({ channels }: Client<UntypedApp>): string {
  const { status, members } = usePresence(channels["club"] as never, {} as never)
  return `${status} ${members.map(({ data }: any) => data.name)}`
}

async function signUp({ auth }: Client<UntypedApp>, name: string) {
  const email = `${name}@example.com`.toLowerCase()
  const { user } = await auth.signUp({ email, name, password: PASSWORD })
  return { email, id: String(Reflect.get(user, "id")) }
}

test("components share one session, and see sign-in, change and sign-out, here and elsewhere", async () => {
  const client = browser()
  const page = mount(
    <StrictMode>
      <Probe useResult={() => useName(client)} />
      <Probe useResult={() => useName(client)} />
    </StrictMode>,
  )
  const shows = (text: string) =>
    vi.waitFor(() => expect(page.text).toBe(JSON.stringify(text) + JSON.stringify(text)), WAIT)

  await shows("live nobody")
  const { id, email } = await signUp(client, "Eva")
  await shows("live Eva")
  await other.app.system.collections["users"]?.updateById({ id, data: { name: "Eva Major" } })
  await shows("live Eva Major")
  await client.auth.signOut()
  await shows("live nobody")
  await client.auth.signIn({ email, password: PASSWORD })
  await shows("live Eva Major")
  await other.app.system.collections["users"]?.updateById({ id, data: { banned: true } })
  await shows("live nobody")
  expect(client.realtime.topicCount).toBe(1)
  page.unmount()
  await vi.waitFor(() => expect(client.realtime.topicCount).toBe(0), WAIT)
})

test("what the former user saw is gone before the next user sees anything", async () => {
  const client = browser()
  const eva = await signUp(browser(), "Anna")
  const adam = await signUp(browser(), "Adam")
  const write = (text: string, owner: string | null) =>
    app.app.system.collections["letters"]?.create({ text, owner } as never)
  await write("to all", null)
  await write("to anna", eva.id)
  await write("to adam", adam.id)
  const seen: string[] = []
  const page = mount(<Probe useResult={() => useLetters(client)} onCommit={(text) => void seen.push(text)} />)
  const shows = (text: string) => vi.waitFor(() => expect(page.text).toBe(JSON.stringify(text)), WAIT)

  await shows("nobody: to all")
  await client.auth.signIn({ email: eva.email, password: PASSWORD })
  await shows("Anna: to anna")
  await client.auth.signIn({ email: adam.email, password: PASSWORD })
  await shows("Adam: to adam")
  await client.auth.signOut()
  await shows("nobody: to all")
  page.unmount()

  const mixed = ["nobody: to anna", "nobody: to adam", "Anna: to adam", "Anna: to all", "Adam: to anna", "Adam: to all"]
  expect(seen.filter((text) => mixed.includes(text))).toEqual([])
})

test("an endless list begins again for the next user, whose pages begin elsewhere", async () => {
  const client = browser()
  const mia = await signUp(browser(), "Mia")
  const tom = await signUp(browser(), "Tom")
  for (const [owner, texts] of [
    [mia.id, ["m1", "m2", "m3"]],
    [tom.id, ["t1", "t2", "t3"]],
  ] as const)
    for (const text of texts) await app.app.system.collections["letters"]?.create({ text, owner } as never)
  const seen: string[] = []
  let loadMore = () => {}
  const onMore = (more: () => void) => {
    loadMore = more
  }
  await client.auth.signIn({ email: mia.email, password: PASSWORD })
  const page = mount(
    <Probe useResult={() => useAllLetters(client, onMore)} onCommit={(text) => void seen.push(text)} />,
  )
  const shows = (text: string) => vi.waitFor(() => expect(page.text).toBe(JSON.stringify(text)), WAIT)

  await shows("Mia: m1,m2")
  loadMore()
  await shows("Mia: m1,m2,m3")
  await client.auth.signIn({ email: tom.email, password: PASSWORD })
  await shows("Tom: t1,t2")
  loadMore()
  await shows("Tom: t1,t2,t3")
  page.unmount()

  expect(seen.filter((text) => /Mia: .*t|Tom: .*m/.test(text))).toEqual([])
})

test("live queries of TanStack Query forget what the former user saw, and show if the next one is refused", async () => {
  const client = browser()
  const q: any = queryOptions(client)
  const { id, email } = await signUp(browser(), "Olga")
  await app.app.system.collections["letters"]?.create({ text: "to olga", owner: id } as never)
  await app.app.system.collections["diaries"]?.create({ text: "dear diary" } as never)
  await client.auth.signIn({ email, password: PASSWORD })
  const seen: string[] = []
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const page = mount(
    <QueryClientProvider client={queries}>
      <Probe useResult={() => useTexts(q)} onCommit={(text) => void seen.push(text)} />
    </QueryClientProvider>,
  )

  await vi.waitFor(() => expect(page.text).toBe('"success to olga,success dear diary"'), WAIT)
  await client.auth.signOut()
  seen.length = 0
  await vi.waitFor(() => expect(page.text).toMatch(/success to all,error undefined|success ,error undefined/), WAIT)
  page.unmount()

  expect(seen.filter((text) => text.includes("olga") || text.includes("diary"))).toEqual([])
  await vi.waitFor(() => expect(client.realtime.topicCount).toBe(0), WAIT)
})

test("what is read once is read again with the token of the next user, not with that of the former one", async () => {
  let token: string | undefined
  const client = createClient({
    baseURL: app.url,
    getAuthHeaders: () => ({ authorization: token && `Bearer ${token}` }),
  })
  const [zita, nora] = [await signUp(browser(), "Zita"), await signUp(browser(), "Nora")]
  for (const { id, email } of [zita, nora])
    await app.app.system.collections["letters"]?.create({ text: `to ${email}`, owner: id } as never)
  token = (await client.auth.signIn({ email: zita.email, password: PASSWORD })).token
  const seen: string[] = []
  const page = mount(<Probe useResult={() => useReadLetters(client)} onCommit={(text) => void seen.push(text)} />)
  await vi.waitFor(() => expect(page.text).toBe('"success to zita@example.com"'), WAIT)

  seen.length = 0
  token = (await client.auth.signIn({ email: nora.email, password: PASSWORD })).token
  await vi.waitFor(() => expect(seen.at(-1)).toMatch(/success/), WAIT)
  page.unmount()

  expect(seen).toEqual(["pending undefined", "success to nora@example.com"])
})

test.each([
  ["useFindSuspense", useFindSuspense, "Rita"],
  ["useLiveSuspense", useLiveSuspense, "Jana"],
] as const)("%s that waits while somebody signs in reads as that user", async (_name, useData, name) => {
  const { id, email } = await signUp(browser(), name)
  await app.app.system.collections["letters"]?.create({ text: `to ${name}`, owner: id } as never)
  const send = cookieJarFetch()
  let open = () => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  const client = createClient({
    baseURL: app.url,
    fetch: async (url, init) => {
      if (!String(url).includes("/auth/")) await isOpen
      return await send(url, init)
    },
  })

  const page = mount(
    <Suspense fallback="loading">
      <Probe useResult={() => (useData(client.collections["letters"] as never) as any).docs[0]?.text} />
    </Suspense>,
  )
  await vi.waitFor(() => expect(page.text).toBe("loading"), WAIT)
  await client.auth.signIn({ email, password: PASSWORD })
  open()

  await vi.waitFor(() => expect(page.text).toBe(`"to ${name}"`), WAIT)
  page.unmount()
  await vi.waitFor(() => expect(client.realtime.topicCount).toBe(0), WAIT)
})

test("a result that was refused because the session had ended comes back when the same user signs in", async () => {
  const send = cookieJarFetch()
  const [client, otherTab] = [
    createClient({ baseURL: app.url, fetch: send }),
    createClient({ baseURL: app.url, fetch: send }),
  ]
  const { email } = await signUp(client, "Dana")
  const page = mount(<Probe useResult={() => useLive(client.collections["diaries"] as never, {}).status} />)

  await vi.waitFor(() => expect(page.text).toBe('"live"'), WAIT)
  await otherTab.auth.signOut()
  await vi.waitFor(() => expect(page.text).toBe('"error"'), WAIT)
  await client.auth.signIn({ email, password: PASSWORD })

  await vi.waitFor(() => expect(page.text).toBe('"live"'), WAIT)
  page.unmount()
})

test("the members of a room are not shown to the next user, who may not enter it", async () => {
  const client = browser()
  await signUp(client, "Iva")
  const page = mount(<Probe useResult={() => useMembers(client)} />)

  await vi.waitFor(() => expect(page.text).toBe('"live Iva"'), WAIT)
  await client.auth.signOut()
  await vi.waitFor(() => expect(page.text).toContain("error"), WAIT)

  expect(page.text).toBe('"error "')
  page.unmount()
})

test("a room that has refused a caller lets the user in who signs in", async () => {
  const client = browser()
  const { email } = await signUp(browser(), "Ema")
  const page = mount(
    <StrictMode>
      <Probe useResult={() => useMembers(client)} />
      <Probe useResult={() => useChannel(client.channels["club"] as never, {} as never, () => {}).error?.code} />
    </StrictMode>,
  )
  await vi.waitFor(() => expect(page.text).toBe('"error ""UNAUTHORIZED"'), WAIT)

  await client.auth.signIn({ email, password: PASSWORD })

  await vi.waitFor(() => expect(page.text).toBe('"live Ema"'), WAIT)
  page.unmount()
  await vi.waitFor(() => expect(client.realtime.subscriberCount).toBe(0), WAIT)
})

test("a session that was preloaded is in the server's HTML, and goes live without another commit", async () => {
  const jar = cookieJarFetch()
  const client = createClient({ baseURL: app.url, fetch: jar })
  await signUp(client, "Otto")
  const commits: unknown[] = []
  const tree = (initial: PreloadedEntry[], onCommit: (name: string) => void = () => {}) => (
    <KitProvider client={client} initial={initial}>
      <Probe useResult={() => useSession().data?.user["name"] as string} onCommit={onCommit} />
    </KitProvider>
  )

  const entry: PreloadedEntry = JSON.parse(JSON.stringify(await preload(client.auth)))
  const html = await asServer(async () => renderToString(tree([entry])))
  const page = hydrate(
    html,
    tree([entry], (name) => void commits.push(name)),
  )
  await vi.waitFor(() => expect(client.realtime.topicCount).toBe(1), WAIT)
  await client.auth.update({ name: "Otto II" })
  await vi.waitFor(() => expect(page.text).toBe('"Otto II"'), WAIT)
  page.unmount()

  expect(html).toContain("Otto")
  expect(entry.hash).toEqual(expect.any(String))
  expect(commits).toEqual(["Otto", "Otto II"])
})

test("two users whose pages one server renders at the same time never see each other", async () => {
  const people = await Promise.all(
    ["Ida", "Leo"].map(async (name) => {
      const client = browser()
      const { email } = await signUp(client, name)
      const { token } = await client.auth.signIn({ email, password: PASSWORD })
      return { name, headers: { authorization: `Bearer ${token}` } }
    }),
  )
  const shared = createClient({ baseURL: app.url })

  const pages = await asServer(() =>
    Promise.all(
      Array.from({ length: 100 }, async (_, turn) => {
        const { name, headers } = people[turn % 2] ?? { name: "", headers: {} }
        const entry = await preload(shared.auth, {}, { headers })
        const html = renderToString(
          <KitProvider client={shared} initial={[entry]}>
            <Probe useResult={() => useSession(shared).data?.user["name"]} />
          </KitProvider>,
        )
        return { name, html }
      }),
    ),
  )

  for (const { name, html } of pages) expect(html).toBe(JSON.stringify(name).replaceAll('"', "&quot;"))
})

test("without a client it says what to do", () => {
  const render = () => renderToString(<Probe useResult={() => useSession().status} />)

  expect(render).toThrow("<KitProvider client={client}>")
})
