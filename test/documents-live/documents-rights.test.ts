import { type AccessContext, collection, type Session, users } from "kit"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { Doc, encodeStateAsUpdate } from "yjs"
import { openEvents } from "../support/oracles/live-events.ts"
import { type IdentityApp, identityApp } from "../support/worlds/identity-app.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"
import { BareClient, fromBase64, type Place, postUpdate, wireDocument } from "./bare-client.ts"

const as = (id: string, role = "reader") => ({ user: { id, role } }) as Session
const WAIT = { timeout: 60_000 }
const config = { limits: { rate: false } } as const

/** The rights of users to read or edit all pages. */
const grants = collection("grants")
  .fields(({ f }) => ({ who: f.text().required(), right: f.text().required() }))
  .access({ read: true })
const grantsOf = async (collections: AccessContext["collections"], where: Record<string, string>) =>
  (await collections["grants"]?.count({ where })) ?? 0
const pages = collection("pages")
  .fields(({ f }) => ({
    body: f.textarea().collaborative(),
    secret: f
      .textarea()
      .collaborative()
      .access({ read: ({ session }) => session?.user.role === "editor" }),
    memo: f
      .textarea()
      .collaborative()
      .access({ read: ({ session }) => ({ owner: session?.user.id ?? "" }) }),
    drawer: f.textarea().hidden(),
    guarded: f
      .textarea()
      .collaborative()
      .access({ update: ({ session }) => session?.user.role === "editor" }),
    owner: f.text(),
    isOpen: f.boolean().default(true),
  }))
  .access({
    read: async ({ session, collections }) =>
      ["editor", "guest"].includes(String(session?.user.role)) ||
      (await grantsOf(collections, { who: session?.user.id ?? "" })) > 0 || { isOpen: true },
    create: true,
    update: async ({ session, collections }) =>
      session?.user.role === "editor" ||
      (await grantsOf(collections, { who: session?.user.id ?? "", right: "edit" })) > 0 || {
        owner: session?.user.id ?? "",
      },
  })

describe("rights that data decides", () => {
  let app: TestApp
  let other: TestApp
  beforeAll(async () => {
    app = await testApp({ resources: [pages, grants], config })
    other = await testApp({ resources: [pages, grants], config: { ...config, db: { url: app.database.url } } })
  })
  afterAll(async () => {
    await other[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
  })

  const records = (name: string, at = app) => at.app.system.collections[name]
  async function page(values: Record<string, unknown> = {}): Promise<Place & { id: string }> {
    const made = await records("pages")?.create({ body: "Hello", ...values })
    return { collection: "pages", id: String(made?.["id"]), field: "body" }
  }
  const follow = (place: Place, session: Session, at = app) => BareClient.open({ url: at.url, session }, place)
  const type = (client: BareClient, text: string) => {
    client.doc.getText(client.place.field).insert(0, text)
    return client.send()
  }

  test("an update of a read-only user is neither stored nor shown to anybody", async () => {
    const place = await page()
    await using reader = await follow(place, as("rita"))
    await using editor = await follow(place, as("eva", "editor"))
    const answer = await type(reader, "forged")
    await type(editor, "!")
    await reader.edit()
    await using later = await follow(place, as("eve", "editor"))

    expect(answer).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } })
    expect(reader.stream.events.find(({ name }) => name === "document")?.data).toMatchObject({ canEdit: false })
    expect(later.text).toBe("!Hello")
    expect(editor.stream.events.filter(({ name }) => name === "edit").length).toBeLessThanOrEqual(1)
    expect(later.stateVector).toBe(editor.stateVector)
  })

  test("a rule of the field decides, too", async () => {
    const place = { ...(await page({ guarded: "G" })), field: "guarded" }
    await using owner = await follow(place, as("rita"))
    await using editor = await follow(place, as("eva", "editor"))

    expect((await type(owner, "no")).status).toBe(403)
    expect((await type(editor, "yes ")).status).toBe(200)
    await owner.edit()
    expect(editor.text).toBe("yes G")
  })

  test("a hidden document sends none of its bytes, and is as if it did not exist", async () => {
    const marker = "TOPSECRET"
    const place = await page({ secret: marker, memo: marker, drawer: marker, owner: "olga" })
    const fields = ["body", "secret", "memo", "drawer", "nothing"]
    const documents = fields.map((field) => wireDocument({ ...place, field }, { id: field }))
    await using stream = await openEvents({ url: app.url, documents, session: as("rita") })
    await using editor = await follow({ ...place, field: "secret" }, as("eva", "editor"))
    await using owner = await follow({ ...place, field: "memo" }, as("olga"))
    const errors = [await stream.next("error"), await stream.next("error"), await stream.next("error")]
    errors.push(await stream.next("error"))
    await stream.next("document", ({ documentId }) => documentId === "body")

    for (let round = 0; round < 10; round++) {
      await type(editor, `${marker}${round}`)
      await type(owner, `${marker}${round}`)
    }
    await editor.sendState({ user: { name: marker } })
    await using open = await follow(place, as("eva", "editor"))
    await type(open, "seen")
    await stream.next("edit")
    const posted = await Promise.all(
      fields.slice(1).map((field) => postUpdate({ url: app.url, session: as("rita") }, { ...place, field }, {})),
    )

    const received = stream.events.map(({ name, data }) => {
      const { update = "" } = data as { update?: string }
      return `${name} ${JSON.stringify(data)} ${Buffer.from(fromBase64(update)).toString("latin1")}`
    })
    expect(received.join("\n")).not.toContain(marker)
    expect(received.join("\n")).not.toContain(editor.epoch)
    const { code, message } = errors.find(({ topicId }) => topicId === "nothing") ?? {}
    for (const error of errors) expect(error).toMatchObject({ code, message })
    expect(code).toBe("NOT_FOUND")
    const unknown = posted.at(-1)
    for (const answer of posted) {
      expect(answer.status).toBe(404)
      expect({ ...answer.body.error, requestId: "" }).toEqual({ ...unknown?.body.error, requestId: "" })
    }
  })

  test("an unreadable record gets the same answer as a missing one, whatever the field", async () => {
    const hidden = await page({ isOpen: false })
    const missing = { ...hidden, id: crypto.randomUUID() }
    const answers = await Promise.all(
      ["body", "secret", "title", "nothing"].flatMap((field) =>
        [hidden, missing].map(async (place) => {
          const { body, status } = await postUpdate({ url: app.url, session: as("rita") }, { ...place, field }, {})
          return JSON.stringify({ status, ...body.error, requestId: "", context: { ...body.error.context, id: "" } })
        }),
      ),
    )

    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain("NOT_FOUND")
  })

  describe.each([
    { how: "in the same process", there: () => app },
    { how: "in another process", there: () => other },
  ])("changed $how", ({ there }) => {
    test("a right to edit that is taken away, then the right to read: edits are refused, then the topic ends", async () => {
      const place = await page({ isOpen: false })
      const grant = await records("grants")?.create({ who: "gina", right: "edit" })
      const id = String(grant?.["id"])
      await using gina = await follow(place, as("gina"))
      await using editor = await follow(place, as("eva", "editor"))
      expect((await type(gina, "first ")).status).toBe(200)

      await records("grants", there())?.updateById({ id, data: { right: "read" } })
      const lost = await gina.document()
      const refused = await type(gina, "second ")
      await type(editor, "third ")
      await gina.edit()
      await records("grants", there())?.deleteById({ id })
      const ended = await gina.stream.next("error")
      const before = gina.stream.events.length
      await type(editor, "fourth ")
      await editor.edit()

      expect(lost).toMatchObject({ canEdit: false })
      expect(refused.status).toBe(403)
      expect(ended).toMatchObject({ topicId: "doc", code: "NOT_FOUND" })
      expect((await type(gina, "fifth ")).status).toBe(404)
      const later = gina.stream.events.slice(before).map(({ name }) => name)
      expect(later.filter((name) => name !== "ping")).toEqual([])
      expect(editor.text).not.toContain("second")
    })

    test("a change of the record itself gives and takes rights, however the client spells its id", async () => {
      const place = await page({ owner: "olga" })
      await using olga = await follow({ ...place, id: place.id.toUpperCase() }, as("olga"))
      expect((await type(olga, "mine ")).status).toBe(200)

      await records("pages", there())?.updateById({ id: place.id, data: { owner: "otto" } })
      const lost = await olga.document()
      await records("pages", there())?.updateById({ id: place.id, data: { owner: "olga" } })
      const back = await olga.document()
      await records("pages", there())?.updateById({ id: place.id, data: { isOpen: false } })

      expect([lost.canEdit, back.canEdit]).toEqual([false, true])
      expect(await olga.stream.next("error")).toMatchObject({ code: "NOT_FOUND" })
    })
  })

  test("a change that kit is not told of takes effect within five seconds", async () => {
    const tries: number[] = []
    while (tries.length < 10 && (tries.length === 0 || Math.min(...tries) > 5_000)) tries.push(await timeToTakeEffect())

    expect(Math.min(...tries)).toBeLessThan(5_000)
  })

  // Returns how long a user can send and receive updates after SQL has taken the rights away.
  async function timeToTakeEffect(): Promise<number> {
    const place = await page({ owner: "olga" })
    await using olga = await follow(place, as("olga"))
    await using editor = await follow(place, as("eva", "editor"))
    expect((await type(olga, "mine ")).status).toBe(200)

    await app.database.query("update pages set owner = 'otto', \"isOpen\" = false where id = $1", [place.id])
    const since = performance.now()
    let ended = false
    void olga.stream.next("error").then(() => {
      ended = true
    })
    const look = async () => {
      await type(editor, "y")
      expect((await type(olga, "x")).status).toBe(404)
      expect(ended).toBe(true)
    }
    await vi.waitFor(look, { ...WAIT, interval: 200 })
    return performance.now() - since
  }

  test("an update for one document cannot be appended to another", async () => {
    const place = await page()
    const foreign = await page({ isOpen: false })
    await using editor = await follow(foreign, as("eva", "editor"))
    const doc = new Doc()
    doc.getText("body").insert(0, "smuggled")
    await records("grants")?.create({ who: "sam", right: "edit" })

    const query = { epoch: editor.epoch }
    const { status } = await postUpdate({ url: app.url, session: as("sam") }, place, {
      update: encodeStateAsUpdate(doc),
      query,
    })

    expect(status).toBe(409)
  })
})

test("a document holds drafts, so that only those may open it who may read drafts", async () => {
  const posts = collection("posts")
    .options({ workflow: true })
    .fields(({ f }) => ({ body: f.textarea().collaborative() }))
    .access({ read: true, create: true, update: true, drafts: ({ session }) => session?.user.role === "editor" })
  await using app = await testApp({ resources: [posts], config })
  const made = await app.app.system.collections["posts"]?.create({ body: "Draft" })
  const place = { collection: "posts", id: String(made?.["id"]), field: "body" }
  await app.app.system.collections["posts"]?.transitionStage({ id: place.id, stage: "published" })

  await using editor = await BareClient.open({ url: app.url, session: as("eva", "editor") }, place)
  const documents = [wireDocument(place)]
  await using stream = await openEvents({ url: app.url, documents, session: as("rita") })

  expect(editor.text).toBe("Draft")
  expect(await stream.next("error")).toMatchObject({ code: "FORBIDDEN" })
  expect((await postUpdate({ url: app.url, session: as("rita") }, place, {})).status).toBe(403)
})

describe("rights of users", () => {
  const letters = collection("letters")
    .fields(({ f }) => ({ body: f.textarea().collaborative() }))
    .access({
      read: ({ session }) => ["editor", "reader"].includes(String(session?.user.role)),
      create: true,
      update: ({ session }) => session?.user.role === "editor",
    })
  let app: IdentityApp
  beforeAll(async () => {
    app = await identityApp({ resources: [users().fields(() => ({})), letters] })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  let people = 0
  async function editor() {
    people++
    const made = await app.app.system.collections["letters"]?.create({ body: "Dear" })
    const place = { collection: "letters", id: String(made?.["id"]), field: "body" }
    const person = await app.signIn({ email: `person${people}@example.com`, role: "editor" })
    const caller = { url: app.url, headers: { cookie: person.cookie } }
    return { person, place, caller, client: await BareClient.open(caller, place) }
  }
  const giveRole = (id: string, role: string) => app.app.system.collections["users"]?.updateById({ id, data: { role } })

  test("a role that is lost takes the right to edit, then the right to read", async () => {
    const { person, client } = await editor()
    await using eva = client
    eva.doc.getText("body").insert(4, " Sir")
    expect((await eva.send()).status).toBe(200)

    await giveRole(person.id, "reader")
    const lost = await eva.document()
    eva.doc.getText("body").insert(4, "est")
    const refused = await eva.send()
    await giveRole(person.id, "stranger")

    expect(lost.canEdit).toBe(false)
    expect(refused.status).toBe(403)
    expect(await eva.stream.next("error")).toMatchObject({ topicId: "doc", code: "FORBIDDEN" })
  })

  test("a session that ends takes everything", async () => {
    const { person, client } = await editor()
    await using eva = client
    const headers = { cookie: person.cookie, origin: app.origin }

    await app.fetch("/auth/sign-out", { method: "POST", headers })
    eva.doc.getText("body").insert(0, "!")

    expect(await eva.stream.next("error")).toMatchObject({ topicId: "*", code: "UNAUTHORIZED" })
    expect((await eva.send()).status).toBe(401)
  })

  test("a page of another origin cannot send updates with the user's cookie", async () => {
    const { client } = await editor()
    await using eva = client
    eva.doc.getText("body").insert(0, "!")

    const { status } = await eva.send({ headers: { origin: "https://elsewhere.example" } })

    expect(status).toBe(403)
  })
})
