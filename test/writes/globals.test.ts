import { collection, global, type Session } from "kit"
import { describe, expect, test } from "vitest"
import { testApp } from "../support/worlds/test-app.ts"

const editor: Session = { user: { id: "e", role: "editor" } }
const boss: Session = { user: { id: "b", role: "boss" } }
const everyone = { read: true, update: true } as const

const settings = global("settings")
  .fields(({ f }) => ({
    siteName: f.text(20).required(),
    tagline: f.text(),
    theme: f.select(["light", "dark"]).required().default("light"),
    visits: f.number().bigint(),
    home: f.relation("pages"),
    apiKey: f.text().hidden(),
    plan: f.text().access({ read: isBoss, update: isBoss }),
    build: f.text().readOnly(),
  }))
  .access(everyone)

const pages = collection("pages")
  .fields(({ f }) => ({ title: f.text().required() }))
  .access({ read: true })

const resources = [settings, pages]

function isBoss({ session }: { session: Session | null }) {
  return session?.user.role === "boss"
}

const patch = (body: unknown, session?: Session) => ({
  method: "PATCH",
  body: JSON.stringify(body),
  ...(session && { session }),
})

describe("a global", () => {
  test("is null before the first write", async () => {
    await using app = await testApp({ resources })

    const answer = await app.fetch("/globals/settings")
    const inProcess = await app.app.system.globals["settings"]?.get()

    expect([answer.status, answer.body, inProcess]).toEqual([200, null, null])
  })

  test("is created by the first change, which must give what is required", async () => {
    let now = new Date("2026-05-04T10:00:00Z")
    await using app = await testApp({ resources, now: () => now })

    const missing = await app.fetch("/globals/settings", patch({ tagline: "x" }))
    const untouched = await app.fetch("/globals/settings")
    const first = await app.fetch("/globals/settings", patch({ siteName: "One", visits: 5 }))
    now = new Date("2026-05-04T11:00:00Z")
    const second = await app.fetch("/globals/settings", patch({ tagline: "new" }))

    expect(missing.body.error.fieldErrors).toEqual([{ path: "siteName", message: "Required." }])
    expect(untouched.body).toBeNull()
    expect(first).toMatchObject({ status: 200 })
    expect(first.body).toEqual({
      siteName: "One",
      tagline: null,
      theme: "light",
      visits: "5",
      home: null,
      build: null,
      createdAt: "2026-05-04T10:00:00.000Z",
      updatedAt: "2026-05-04T10:00:00.000Z",
    })
    expect(second.body).toEqual({ ...first.body, tagline: "new", updatedAt: "2026-05-04T11:00:00.000Z" })
    expect((await app.fetch("/globals/settings")).body).toEqual(second.body)
  })

  test("written by many at once for the first time has one row, and every write is in it", async () => {
    const counters = global("counters")
      .fields(({ f }) => Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`c${index}`, f.number()])))
      .access(everyone)
    await using app = await testApp({ resources: [counters] })
    const write = (index: number) => app.fetch("/globals/counters", patch({ [`c${index}`]: index }))

    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => write(index)))

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const rows = await app.database.query("select * from global_counters")
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject(Object.fromEntries(answers.map((_, index) => [`c${index}`, index])))
  })

  test("takes columns and with, and refuses the options of a list", async () => {
    await using app = await testApp({ resources })
    const page = await app.app.system.collections["pages"]?.create({ title: "Home" })
    await app.fetch("/globals/settings", patch({ siteName: "One", home: page?.["id"] }))

    const narrow = await app.fetch("/globals/settings?columns[siteName]=true")
    const hydrated = await app.fetch("/globals/settings?columns[home]=true&with[home][columns][title]=true")
    const filtered = await app.fetch("/globals/settings?where[siteName]=x")
    const byId = await app.fetch("/globals/settings?columns[id]=true")

    expect(narrow.body).toEqual({ siteName: "One" })
    expect(hydrated.body).toEqual({ home: { id: page?.["id"], title: "Home" } })
    expect(filtered).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "where" }] } } })
    expect(byId).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "columns.id" }] } } })
  })

  test("refuses unknown, read-only, hidden and server fields, wrong values and links to nothing", async () => {
    await using app = await testApp({ resources })
    await app.fetch("/globals/settings", patch({ siteName: "One" }))
    const missing = "01890000-0000-7000-8000-000000000000"

    const wrong = await app.fetch(
      "/globals/settings",
      patch({ sitename: 1, build: "x", apiKey: "x", id: "x", theme: "red" }),
    )
    const emptied = await app.fetch("/globals/settings", patch({ siteName: null }))
    const link = await app.fetch("/globals/settings", patch({ home: missing }))

    const paths = wrong.body.error.fieldErrors.map((error: any) => error.path)
    expect([wrong.status, paths]).toEqual([400, ["sitename", "build", "apiKey", "id", "theme"]])
    expect(emptied.body.error.fieldErrors).toEqual([{ path: "siteName", message: "Required." }])
    expect(link).toMatchObject({ status: 400, body: { error: { fieldErrors: [{ path: "home" }] } } })
  })

  test("only answers GET and PATCH, and an unknown one is not found", async () => {
    await using app = await testApp({ resources })

    const unknown = await app.fetch("/globals/setings")
    const posted = await app.fetch("/globals/settings", { method: "POST", body: "{}" })
    const deleted = await app.fetch("/globals/settings", { method: "DELETE" })

    expect(unknown.status).toBe(404)
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, PATCH"])
    expect(deleted.status).toBe(405)
  })
})

describe("the rules of a global", () => {
  test("deny reading and changing without a session and with the wrong one", async () => {
    const closed = settings.access({ read: ({ session }) => session !== null, update: isBoss })
    await using app = await testApp({ resources: [closed, pages] })

    const read = await app.fetch("/globals/settings")
    const anonymous = await app.fetch("/globals/settings", patch({ siteName: "x" }))
    const wrong = await app.fetch("/globals/settings", patch({ siteName: "x" }, editor))
    const right = await app.fetch("/globals/settings", patch({ siteName: "x" }, boss))

    expect([read.status, anonymous.status, wrong.status, right.status]).toEqual([401, 401, 403, 200])
  })

  test("a row rule holds for the row as it is and as it becomes", async () => {
    const guarded = settings.access({ read: true, update: () => ({ theme: "light" }) })
    await using app = await testApp({ resources: [guarded, pages] })

    const dark = await app.fetch("/globals/settings", patch({ siteName: "x", theme: "dark" }))
    const created = await app.fetch("/globals/settings", patch({ siteName: "x" }))
    const away = await app.fetch("/globals/settings", patch({ theme: "dark" }))
    await app.app.system.globals["settings"]?.update({ theme: "dark" })
    const closed = await app.fetch("/globals/settings", patch({ siteName: "y" }))

    expect([dark.status, created.status, away.status, closed.status]).toEqual([401, 200, 401, 401])
    expect(await app.database.query('select "siteName", theme from global_settings')).toEqual([
      { siteName: "x", theme: "dark" },
    ])
  })

  test("who may change but not read gets an empty answer", async () => {
    await using app = await testApp({ resources: [settings.access({ update: true }), pages] })

    const answer = await app.fetch("/globals/settings", patch({ siteName: "x" }))

    expect(answer).toMatchObject({ status: 200, body: {} })
    expect(Object.keys(answer.body)).toEqual([])
  })

  test("a field's update rule holds for the first write too", async () => {
    await using app = await testApp({ resources })

    const first = await app.fetch("/globals/settings", patch({ siteName: "x", plan: "gold" }, editor))
    const created = await app.fetch("/globals/settings", patch({ siteName: "x" }, editor))
    const later = await app.fetch("/globals/settings", patch({ plan: "gold" }, editor))
    const allowed = await app.fetch("/globals/settings", patch({ plan: "gold" }, boss))

    for (const answer of [first, later]) {
      expect(answer).toMatchObject({ status: 403, body: { error: { fieldErrors: [{ path: "plan" }] } } })
    }
    expect(created.body).not.toHaveProperty("plan")
    expect(allowed.body.plan).toBe("gold")
  })
})
