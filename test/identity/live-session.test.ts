import { collection, users } from "kit"
import { type ClientSession, createClient, type KitClientConfig } from "kit/client"
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { cookieJarFetch } from "../support/cookie-jar.ts"
import { type IdentityApp, identityApp, PASSWORD } from "../support/worlds/identity-app.ts"

const people = users()
  .fields(({ f }) => ({ motto: f.text(), story: f.textarea(), note: f.text().hidden() }))
  .access({ read: true, update: ({ session }) => session && { id: session.user.id } })

/** Everyone sees their own letters; callers who are not signed in see those without an owner. */
const letters = collection("letters")
  .fields(({ f }) => ({ text: f.text().required(), owner: f.text() }))
  .access({ read: ({ session }) => ({ owner: session?.user.id ?? null }) })

type Sessions = (ClientSession<{ id: string; readonly [field: string]: unknown }> | null)[]

// The promise is 5 s; the rest is for a busy machine.
const WAIT = { timeout: 60_000 }

let app: IdentityApp
let other: IdentityApp
const clients: ReturnType<typeof createClient>[] = []
let count = 0

beforeAll(async () => {
  app = await identityApp({ resources: [people, letters] })
  other = await identityApp({ resources: [people, letters], database: app.database })
})

afterAll(async () => {
  await other[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

afterEach(() => {
  for (const client of clients.splice(0)) client.realtime.destroy()
})

function browser(config: Partial<KitClientConfig> = {}) {
  const client = createClient({ baseURL: app.url, fetch: cookieJarFetch(), ...config })
  clients.push(client)
  return client
}

function watch({ auth }: ReturnType<typeof browser>) {
  const sessions: Sessions = []
  const errors: Error[] = []
  const stop = auth.watch((session) => sessions.push(session), { onError: (error) => errors.push(error) })
  return { sessions, errors, stop }
}

/** Creates a user, signs in as them with a client, and waits until the client follows their session. */
async function somebody() {
  const email = `person${++count}@example.com`
  const { id } = await app.signIn({ email })
  const client = browser()
  const { token } = await client.auth.signIn({ email, password: PASSWORD })
  const watched = watch(client)
  await vi.waitFor(() => expect(watched.sessions).toMatchObject([{ user: { id } }]), WAIT)
  return { id, email, token, client, ...watched }
}

const system = () => other.app.system.collections["users"]

describe("a client that watches its session", () => {
  test("sees null, then its own sign-in, and its own sign-out", async () => {
    const { id } = await app.signIn({ email: "own@example.com" })
    const client = browser()
    const { sessions, errors } = watch(client)
    await vi.waitFor(() => expect(sessions).toEqual([null]), WAIT)

    await client.auth.signIn({ email: "own@example.com", password: PASSWORD })
    await vi.waitFor(() => expect(sessions).toHaveLength(2), WAIT)
    const read = await client.auth.session()
    await client.auth.signOut()
    await vi.waitFor(() => expect(sessions).toHaveLength(3), WAIT)

    expect(sessions).toEqual([null, read, null])
    expect(read?.user.id).toBe(id)
    expect(read?.session?.expiresAt).toBeInstanceOf(Date)
    expect(errors).toEqual([])
  })

  test("sees a sign-up", async () => {
    const client = browser()
    const { sessions } = watch(client)
    await vi.waitFor(() => expect(sessions).toEqual([null]), WAIT)

    await client.auth.signUp({ email: "live-up@example.com", name: "Eva", password: PASSWORD })

    await vi.waitFor(() => expect(sessions).toMatchObject([null, { user: { email: "live-up@example.com" } }]), WAIT)
  })

  test("sees its session end elsewhere, without an error", async () => {
    const eva = await somebody()

    const headers = { authorization: `Bearer ${eva.token}` }
    await other.fetch("/auth/sign-out", { method: "POST", headers })

    await vi.waitFor(() => expect(eva.sessions.slice(1)).toEqual([null]), WAIT)
    expect(eva.errors).toEqual([])
  })

  test("sees that another device has ended it", async () => {
    const eva = await somebody()
    const elsewhere = browser({ baseURL: other.url })
    await elsewhere.auth.signIn({ email: eva.email, password: PASSWORD })

    await elsewhere.auth.changePassword({ currentPassword: PASSWORD, newPassword: "another horse" })

    await vi.waitFor(() => expect(eva.sessions.at(-1)).toBeNull(), WAIT)
  })

  test.each([
    { name: "a ban", end: (id: string) => system()?.updateById({ id, data: { banned: true } }) },
    { name: "a deletion", end: (id: string) => system()?.deleteById({ id }) },
  ])("sees $name", async ({ end }) => {
    const eva = await somebody()

    await end(eva.id)

    await vi.waitFor(() => expect(eva.sessions.slice(1)).toEqual([null]), WAIT)
  })

  test("sees it expire", async () => {
    // On a machine that stalls, the session may end before it is watched; the next one lives longer.
    const seen: Sessions[] = []
    for (const lifeMs of [3_000, 10_000, 30_000]) {
      if ((seen.at(-1)?.length ?? 0) < 2) seen.push(await watchUntilExpired(lifeMs))
    }

    expect(seen.at(-1)).toMatchObject([{ user: { motto: "Soon" } }, null])
  })

  async function watchUntilExpired(lifeMs: number): Promise<Sessions> {
    const email = `expires${lifeMs}@example.com`
    const { id } = await app.signIn({ email })
    const client = browser()
    await client.auth.signIn({ email, password: PASSWORD, rememberMe: false })
    const soon = new Date(Date.now() + lifeMs)
    await app.database.query(`update _kit_sessions set "expiresAt" = $2 where "userId" = $1`, [id, soon])
    await system()?.updateById({ id, data: { motto: "Soon" } })
    const { sessions } = watch(client)
    await vi.waitFor(() => expect(sessions.at(-1)).toBeNull(), WAIT)
    return sessions
  }

  test.each([
    { name: "name", value: "Eva Major" },
    { name: "role", value: "editor" },
    { name: "motto", value: "Onwards" },
  ])("sees a new $name, and nothing of hidden fields", async ({ name, value }) => {
    const eva = await somebody()

    await system()?.updateById({ id: eva.id, data: { [name]: value, note: "a secret note" } })

    await vi.waitFor(() => expect(eva.sessions.at(-1)).toMatchObject({ user: { id: eva.id, [name]: value } }), WAIT)
    expect(JSON.stringify(eva.sessions)).not.toContain("a secret note")
  })

  test("sees no sign-out when it changes its own password", async () => {
    const eva = await somebody()

    await eva.client.auth.changePassword({ currentPassword: PASSWORD, newPassword: "another horse" })
    await eva.client.auth.update({ name: "Eva with a new password" })

    await vi.waitFor(() => expect(eva.sessions.at(-1)?.user["name"]).toBe("Eva with a new password"), WAIT)
    expect(eva.sessions).not.toContain(null)
    expect(eva.errors).toEqual([])
  })

  test("sees the new session of a user who signs in again", async () => {
    const eva = await somebody()
    const former = eva.sessions.at(-1)

    await eva.client.auth.signIn({ email: eva.email, password: PASSWORD })
    const session = await eva.client.auth.session()
    await vi.waitFor(() => expect(eva.sessions.at(-1)).toEqual(session), WAIT)

    expect(session?.session?.id).not.toBe(former?.session?.id)
    expect(eva.sessions).not.toContain(null)
    expect(eva.errors).toEqual([])
  })

  test("with a bearer token sees the sign-in after which the app stores the token", async () => {
    const { id } = await app.signIn({ email: "live-token@example.com" })
    let token: string | undefined
    const getAuthHeaders = () => ({ authorization: token && `Bearer ${token}` })
    const client = browser({ fetch, getAuthHeaders })
    const { sessions } = watch(client)
    await vi.waitFor(() => expect(sessions).toEqual([null]), WAIT)

    token = (await client.auth.signIn({ email: "live-token@example.com", password: PASSWORD })).token

    await vi.waitFor(() => expect(sessions).toMatchObject([null, { user: { id } }]), WAIT)
  })

  test("gets nothing after it has stopped, and leaves nothing behind", async () => {
    const eva = await somebody()

    eva.stop()
    await system()?.updateById({ id: eva.id, data: { name: "Nobody hears it" } })
    const next = watch(eva.client)
    await vi.waitFor(() => expect(next.sessions.at(-1)?.user["name"]).toBe("Nobody hears it"), WAIT)
    next.stop()

    expect(eva.sessions).toHaveLength(1)
    expect(eva.client.realtime.subscriberCount).toBe(0)
  })

  test("never sees the session of another user", async () => {
    const everyone = await Promise.all([somebody(), somebody(), somebody()])

    for (const turn of [1, 2]) {
      for (const { id } of everyone) await system()?.updateById({ id, data: { name: `Turn ${turn} of ${id}` } })
    }
    await vi.waitFor(() => {
      for (const { id, sessions } of everyone) expect(sessions.at(-1)?.user["name"]).toBe(`Turn 2 of ${id}`)
    }, WAIT)

    for (const { id, sessions } of everyone)
      expect(new Set(sessions.map((session) => session?.user.id))).toEqual(new Set([id]))
  })
})

describe("live queries", () => {
  const textsOf = (page: unknown) => (page as { docs: { text: string }[] }).docs.map(({ text }) => text)

  test("go on as the user who has signed in or out, and show nothing of the former user", async () => {
    const [eva, adam] = [
      await app.signIn({ email: "eva@example.com" }),
      await app.signIn({ email: "adam@example.com" }),
    ]
    const write = (text: string, owner: string | null) =>
      app.app.system.collections["letters"]?.create({ text, owner } as never)
    await write("to all", null)
    await write("to eva", eva.id)
    await write("to adam", adam.id)
    const client = browser()
    const found = client.collections["letters"]
    const pages: string[][] = []
    const errors: Error[] = []
    found?.live({}, (page) => pages.push(textsOf(page)), { onError: (error) => errors.push(error) })
    await vi.waitFor(() => expect(pages).toEqual([["to all"]]), WAIT)

    await client.auth.signIn({ email: "eva@example.com", password: PASSWORD })
    const late: string[][] = []
    found?.live({}, (page) => late.push(textsOf(page)))
    await vi.waitFor(() => expect(pages).toEqual([["to all"], ["to eva"]]), WAIT)
    await client.auth.signIn({ email: "adam@example.com", password: PASSWORD })
    await vi.waitFor(() => expect(pages).toHaveLength(3), WAIT)
    await client.auth.signOut()
    await vi.waitFor(() => expect(pages).toHaveLength(4), WAIT)

    expect(pages).toEqual([["to all"], ["to eva"], ["to adam"], ["to all"]])
    expect(late).toEqual([["to eva"], ["to adam"], ["to all"]])
    expect(errors).toEqual([])
  })
})

describe("a request for the session", () => {
  const open = (body: object) => app.fetch("/realtime", { method: "POST", body })

  function openStream(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers } }
    return fetch(`${url}/realtime`, { ...init, body: JSON.stringify(body) })
  }

  /** Reads the stream until the condition holds for all data of the events so far, and ends it. */
  async function readUntil({ body }: Response, isEnough: (data: readonly any[]) => boolean): Promise<readonly any[]> {
    const data: unknown[] = []
    let rest = ""
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (rest + chunk).split("\n\n")
      rest = events.pop() ?? ""
      data.push(...events.map((event) => JSON.parse(event.slice(event.indexOf("data: ") + "data: ".length))))
      if (isEnough(data)) break
    }
    return data
  }

  test("is not answered by an app with a session provider of its own, whose sessions are for the server alone", async () => {
    const session = { user: { id: "ann", upstreamToken: "a secret token" } }
    await using foreign = await identityApp({
      resources: [letters],
      config: { sessions: { read: () => Promise.resolve(session) } },
    })
    const topics = [{ id: "letters", resourceType: "collection", resource: "letters" }]

    const data = await readUntil(
      await openStream(foreign.url, { topics, sessions: [{ id: "me" }] }),
      (events) => events.length === 3,
    )

    expect(data).toContainEqual(expect.objectContaining({ topicId: "me", code: "NOT_FOUND" }))
    expect(data).toContainEqual(expect.objectContaining({ topicId: "letters", seq: 1 }))
    expect(JSON.stringify(data)).not.toContain("a secret token")
  })

  test("keeps one session at most for a client that does not read", async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `session ${index}`)
    const { id, token } = await app.signIn({ email: "slow@example.com" })
    await system()?.updateById({ id, data: { story: "long ".repeat(100_000) } })
    const authorization = { authorization: `Bearer ${token}` }
    const slow = await openStream(app.url, { sessions: ids.map((each) => ({ id: each })) }, authorization)
    const witness = await openStream(app.url, { sessions: [{ id: "me" }] }, authorization)

    for (const name of ["One", "Two", "Three", "Four"]) await system()?.updateById({ id, data: { name } })
    await readUntil(witness, (events) => events.at(-1).data?.user.name === "Four")
    const isNewest = (events: readonly any[], topicId: string) =>
      events.findLast((event) => event.topicId === topicId)?.data?.user.name === "Four"
    const data = await readUntil(slow, (events) => ids.every((each) => isNewest(events, each)))

    // Each topic is sent once, and those that the client had been sent before the changes once more.
    const snapshots = data.filter(({ topicId }) => topicId !== undefined)
    expect(snapshots.length).toBeLessThan(2 * ids.length)
  })

  test.each([
    { sessions: "mine", path: "sessions" },
    { sessions: ["mine"], path: "sessions.0" },
    { sessions: [{}], path: "sessions.0.id" },
    { sessions: [{ id: "*" }], path: "sessions.0.id" },
    { sessions: [{ id: "s", lastHash: 1 }], path: "sessions.0.lastHash" },
  ])("is refused with the path of what is wrong: $path", async ({ sessions, path }) => {
    const { status, body } = await open({ topics: [], sessions })

    expect(status).toBe(400)
    expect(body.error.fieldErrors).toMatchObject([{ path }])
  })
})
