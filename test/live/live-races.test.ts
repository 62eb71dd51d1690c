import { once } from "node:events"
import { connect } from "node:net"
import { collection, route, users } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest"
import { openEvents } from "../support/oracles/live-events.ts"
import { type IdentityApp, identityApp } from "../support/worlds/identity-app.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const
const topicOf = (resource: string, options: object = {}) => ({
  id: resource,
  resourceType: "collection",
  resource,
  ...options,
})

/** Delays the rule of `doors` after it has queried who has a key. */
let gate: { reached(): void; opened: Promise<void> } | undefined

const keys = collection("keys")
  .fields(({ f }) => ({ holder: f.text().required() }))
  .access(everyone)
const doors = collection("doors")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({
    ...everyone,
    read: async ({ asSystem }) => {
      const found = await asSystem().collections["keys"]?.find({ where: { holder: "anybody" } })
      const held = gate
      gate = undefined
      held?.reached()
      await held?.opened
      return found?.totalDocs !== 0
    },
  })
/** Called whenever the rule of `halls` is evaluated; the rule then queries who has a key. */
let onAsked: () => Promise<void> = async () => {}

const halls = collection("halls")
  .fields(({ f }) => ({ name: f.text().required() }))
  .access({
    ...everyone,
    read: async ({ asSystem }) => {
      const found = await asSystem().collections["keys"]?.find({ where: { holder: "anybody" } })
      await onAsked()
      return found?.totalDocs !== 0
    },
  })
const authors = collection("authors")
  .fields(({ f }) => ({
    name: f.text().required(),
    drafts: f.virtual(f.number().integer(), '(select count(*)::int from poems p where p.author = "id" and not p.done)'),
  }))
  .access(everyone)
const poems = collection("poems")
  .fields(({ f }) => ({ title: f.text().required(), done: f.boolean().default(false), author: f.relation("authors") }))
  .access(everyone)
const makers = collection("makers")
  .fields(({ f }) => ({ name: f.text().required() }))
  .options({ softDelete: true })
  .access(everyone)
const wrappers = collection("wrappers")
  .fields(({ f }) => ({ color: f.text().required() }))
  .hooks({ afterRead: ({ row }) => ({ color: row["color"] }) })
  .access(everyone)
const goods = collection("goods")
  .fields(({ f }) => ({ name: f.text(), maker: f.relation("makers"), wrapper: f.relation("wrappers") }))
  .access(everyone)
/** Restores a record directly with SQL, and reports the change. */
const revive = route().handler(({ input, transaction }) =>
  transaction(async ({ db, touch }) => {
    const id = String(input)
    await db.updateTable("makers").set({ deletedAt: null }).where("id", "=", id).execute()
    await touch("makers", id)
  }),
)
const diaries = collection("diaries")
  .fields(({ f }) => ({ text: f.text() }))
  .access({ read: ({ session }) => session !== null })
const shops = collection("shops")
  .fields(({ f }) => ({ name: f.text().required() }))
  .hooks({
    afterRead: async ({ row, asSystem }) => {
      const sold = await asSystem().collections["keys"]?.count({ where: { holder: String(row["name"]) } })
      return { ...row, sold }
    },
  })
  .access(everyone)

describe("what changes while somebody is looking", () => {
  let app: TestApp

  beforeAll(async () => {
    app = await testApp({
      resources: [keys, doors, halls, authors, poems, shops, makers, wrappers, goods],
      routes: { revive },
    })
  })

  afterAll(() => app[Symbol.asyncDispose]())

  beforeEach(() =>
    app.database.query("truncate keys, doors, halls, authors, poems, shops, makers, wrappers, goods cascade"),
  )

  const records = () => app.app.system.collections

  test("a right that is lost while it is being judged is judged again", async () => {
    const key = await records()["keys"]?.create({ holder: "anybody" })
    let open = () => {}
    let reached = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    const isReached = new Promise<void>((resolve) => {
      reached = resolve
    })
    await using witness = await openEvents({ url: app.url, topics: [topicOf("keys")] })
    await witness.next("snapshot")
    gate = { reached, opened }
    await using stream = await openEvents({ url: app.url, topics: [topicOf("doors")] })
    await isReached

    await records()["keys"]?.deleteById({ id: String(key?.["id"]) })
    await witness.next("snapshot", ({ data }) => (data as { totalDocs: number }).totalDocs === 0)
    open()

    expect(await stream.next("error")).toMatchObject({ topicId: "doors", code: "UNAUTHORIZED" })
  })

  test("a record that the filter passes over may still be counted by SQL of the author's", async () => {
    const eva = await records()["authors"]?.create({ name: "Eva" })
    await records()["poems"]?.create({ title: "Shown", done: true, author: eva?.["id"] })
    const asked = topicOf("poems", { where: { done: true }, with: { author: true } })
    await using stream = await openEvents({ url: app.url, topics: [asked] })
    const drafts = async () => {
      const { data } = await stream.next("snapshot")
      return (data as { docs: { author: { drafts: number } }[] }).docs[0]?.author.drafts
    }
    expect(await drafts()).toBe(0)

    await records()["poems"]?.create({ title: "Counted", author: eva?.["id"] })

    expect(await drafts()).toBe(1)
  })

  test("rights that depend on what is written without pause are those of a moment ago", async () => {
    const key = await records()["keys"]?.create({ holder: "anybody" })
    await using witness = await openEvents({
      url: app.url,
      topics: [topicOf("keys", { where: { holder: "somebody" }, limit: 1 })],
    })
    let written = 0
    // Each time before the rule has returned, this process receives a change about another key.
    onAsked = async () => {
      await records()["keys"]?.create({ holder: "somebody" })
      const atLeast = ++written
      await witness.next("snapshot", ({ data }) => (data as { totalDocs: number }).totalDocs >= atLeast)
    }
    onTestFinished(() => {
      onAsked = async () => {}
    })
    await using stream = await openEvents({ url: app.url, topics: [topicOf("halls")] })

    const first = await stream.next("snapshot")
    await records()["keys"]?.deleteById({ id: String(key?.["id"]) })
    const last = await stream.next("error")

    expect(first.data).toMatchObject({ docs: [] })
    expect(last).toMatchObject({ code: "UNAUTHORIZED" })
  })

  test("a related record that was not there comes back, whoever brought it", async () => {
    const maker = await records()["makers"]?.create({ name: "Eva" })
    await records()["goods"]?.create({ name: "chair", maker: maker?.["id"] })
    await records()["makers"]?.deleteById({ id: String(maker?.["id"]) })
    await using stream = await openEvents({ url: app.url, topics: [topicOf("goods", { with: { maker: true } })] })
    expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ maker: null }] })

    await app.fetch("/revive", { method: "POST", body: JSON.stringify(maker?.["id"]) })

    expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ maker: { name: "Eva" } }] })
  })

  test("a related record changes that a hook shows without its id", async () => {
    await records()["wrappers"]?.create({ color: "red" })
    const id = (await app.database.query("select id from wrappers"))[0]?.["id"]
    await records()["goods"]?.create({ name: "box", wrapper: id })
    await using stream = await openEvents({ url: app.url, topics: [topicOf("goods", { with: { wrapper: true } })] })
    expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ wrapper: { color: "red" } }] })

    await records()["wrappers"]?.updateById({ id: String(id), data: { color: "blue" } })

    expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ wrapper: { color: "blue" } }] })
  })

  test("a record that a hook asks for changes what the hook shows", async () => {
    await records()["shops"]?.create({ name: "corner" })
    await using stream = await openEvents({ url: app.url, topics: [topicOf("shops")] })
    expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ sold: 0 }] })

    await records()["keys"]?.create({ holder: "corner" })

    expect((await stream.next("snapshot")).data).toMatchObject({ docs: [{ sold: 1 }] })
  })
})

describe("a session that ends before its stream begins", () => {
  let app: IdentityApp
  let other: IdentityApp

  beforeAll(async () => {
    const resources = [users().fields(() => ({})), poems, authors, diaries]
    app = await identityApp({ resources })
    other = await identityApp({ resources, database: app.database })
  })

  afterAll(async () => {
    await other[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
  })

  test("opens none, or one that ends, however lately it was seen", async () => {
    const eva = await app.signIn({ email: "eva@example.com" })
    expect((await app.fetch("/auth/get-session", { headers: { cookie: eva.cookie } })).body).toMatchObject({ user: {} })
    await app.fetch("/poems", { headers: { cookie: eva.cookie } })

    await other.app.system.collections["users"]?.updateById({ id: eva.id, data: { banned: true } })
    const topics = [topicOf("diaries")]
    await using stream = await openEvents({ url: app.url, topics, headers: { cookie: eva.cookie } })

    expect(await stream.next("error")).toMatchObject({ code: "UNAUTHORIZED" })
  })

  test("opens none for a body that was kept back", async () => {
    const bob = await app.signIn({ email: "bob@example.com" })
    const ann = await app.signIn({ email: "ann@example.com" })
    await using witness = await openEvents({
      url: app.url,
      topics: [topicOf("poems")],
      headers: { cookie: ann.cookie },
    })
    await witness.next("snapshot")
    const { hostname, port, pathname } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    const body = JSON.stringify({ topics: [topicOf("poems")] })
    const head = [
      `POST ${pathname.replace(/\/$/, "")}/realtime HTTP/1.1`,
      `host: ${hostname}:${port}`,
      "content-type: application/json",
      `content-length: ${body.length}`,
      `cookie: ${bob.cookie}`,
      "expect: 100-continue",
    ]
    socket.setEncoding("utf8").write(`${head.join("\r\n")}\r\n\r\n`)
    const [started] = await once(socket, "data")
    expect(started).toBe("HTTP/1.1 100 Continue\r\n\r\n")
    // A later request to the same server is answered, so the session of the earlier one has been read.
    await app.fetch("/poems", { headers: { cookie: ann.cookie } })

    await app.app.system.collections["users"]?.updateById({ id: bob.id, data: { banned: true } })
    await app.app.system.collections["poems"]?.create({ title: "Told to the witness" })
    await witness.next("snapshot")
    socket.write(body)
    let text = ""
    socket.on("data", (chunk: string) => {
      text += chunk
      if (/UNAUTHORIZED|event: snapshot/.test(text)) socket.emit("told")
    })
    await once(socket, "told")
    socket.destroy()

    expect(text).toContain("UNAUTHORIZED")
  })
})
