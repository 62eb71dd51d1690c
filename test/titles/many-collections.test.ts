// @module-tag not-about-connections

import { collection, type Session } from "kit"
import { expect, test } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const COLLECTIONS = 200

const reader: Session = { user: { id: "rita", role: "reader" } }
type Call = { readonly session: Session | null }
const isAdmin = ({ session }: Call) => session?.user.role === "admin"

test("one search covers 200 collections", async () => {
  const resources = Array.from({ length: COLLECTIONS }, (_each, place) =>
    collection(`things${String(place).padStart(3, "0")}`)
      .fields(({ f }) => ({ name: f.text() }))
      .title("name")
      .access({ read: ({ session }) => session !== null || { name: { contains: "open" } } }),
  )
  await using app = await testApp({ resources })
  for (const place of ["000", "049", "050", "199"]) {
    await app.app.system.collections[`things${place}`]?.create({ name: `Closed ${place}` })
    await app.app.system.collections[`things${place}`]?.create({ name: `Heron ${place} open` })
  }
  const find = async (query: string, session?: Session, limit = 20) =>
    (await app.client(session).search.findByTitle({ query, limit })).docs.map(({ title }: { title: string }) => title)

  expect(await find("heron")).toEqual(["Heron 000 open", "Heron 049 open", "Heron 050 open", "Heron 199 open"])
  expect(await find("closed")).toEqual([])
  expect(await find("closed", reader)).toHaveLength(4)
  expect(await find("heron", reader, 3)).toEqual(["Heron 000 open", "Heron 049 open", "Heron 050 open"])
})

// The same app twice: once with records, a title and a collection that only admins may know, and once without them.
const world = (hasSecrets: boolean) =>
  testApp({
    resources: [
      collection("papers")
        .fields(({ f }) => ({ title: f.text(), isOpen: f.boolean() }))
        .title("title")
        .access({ read: (call) => isAdmin(call) || { isOpen: true } }),
      collection("drafts")
        .fields(({ f }) => ({ title: f.text() }))
        .title("title")
        .options({ workflow: true, softDelete: true })
        .access({ read: true, update: isAdmin, transition: isAdmin }),
      ...(hasSecrets
        ? [
            collection("archive")
              .fields(({ f }) => ({ title: f.text().access({ read: isAdmin }) }))
              .title("title")
              .access({ read: true }),
            collection("vault")
              .fields(({ f }) => ({ title: f.text() }))
              .title("title")
              .access({ read: isAdmin }),
          ]
        : []),
    ],
  })

test("no answer depends on what the caller may not read", async () => {
  await using plain = await world(false)
  await using secret = await world(true)
  for (const app of [plain, secret]) {
    for (const title of ["Quoll", "A quoll", "Quoll two"]) {
      await app.app.system.collections["papers"]?.create({ title, isOpen: true })
    }
    const { id } = { id: "", ...(await app.app.system.collections["drafts"]?.create({ title: "Quoll shown" })) }
    await app.app.system.collections["drafts"]?.transitionStage({ id: String(id), stage: "published" })
  }
  const hidden = secret.app.system.collections
  for (let copy = 0; copy < 50; copy++) await hidden["papers"]?.create({ title: "Quoll", isOpen: false })
  await hidden["archive"]?.create({ title: "Quoll" })
  await hidden["vault"]?.create({ title: "Quoll" })
  await hidden["drafts"]?.create({ title: "Quoll" })
  // More than a search reads completely, of which nobody but admins may read anything.
  await secret.database.query(
    `insert into vault (id, "createdAt", "updatedAt", title)
      select gen_random_uuid(), now(), now(), 'Quoll ' || repeat('x', 1000) from generate_series(1, 20000)`,
  )

  for (const query of ["q", "qu", "quoll", "quoll two", "a", "shown", "x"]) {
    for (const limit of [1, 2, 20]) {
      for (const session of [undefined, reader]) {
        const [open, closed] = await Promise.all([plain, secret].map((app) => answerOf(app, { query, limit, session })))
        expect(closed).toEqual(open)
      }
    }
  }
})

interface Asked {
  readonly query: string
  readonly limit: number
  readonly session: Session | undefined
}

async function answerOf(app: TestApp, { query, limit, session }: Asked) {
  const { docs, notSearched } = await app.client(session).search.findByTitle({ query, limit })
  // The ids are random in both worlds.
  return { docs: docs.map(({ id: _random, ...doc }: { id: string }) => doc), notSearched }
}

// A search for its titles takes as many seconds as the records say.
const slow = collection("slow")
  .fields(({ f }) => ({ seconds: f.number(), name: f.virtual(f.text(), `pg_sleep("seconds")::text || 'Bittern'`) }))
  .title("name")
  .access({ read: true })

// Inserts directly with SQL, because the app would read the record back.
const addSlow = ({ database }: TestApp) =>
  database.query(
    `insert into slow (id, seconds, "createdAt", "updatedAt") values (gen_random_uuid(), 600, now(), now())`,
  )

test("a search that nobody waits for any more is cancelled", async () => {
  await using app = await testApp({
    resources: [slow],
    config: { limits: { searchMs: 600_000, statementMs: 600_000 } },
  })
  await addSlow(app)
  const controller = new AbortController()
  const running = async () => {
    const rows = await app.database.query(
      "select count(*)::int as n from pg_stat_activity where state = 'active' and query like '%pg_sleep(%' and pid <> pg_backend_pid()",
    )
    return rows[0]?.["n"]
  }

  const asked = app.client().search.findByTitle({ query: "bittern" }, { signal: controller.signal })
  await expect.poll(running).toBe(1)
  controller.abort(new RangeError("enough"))

  await expect(asked).rejects.toThrow(new RangeError("enough"))
  await expect.poll(running).toBe(0)
})

test("a search that takes too long is cancelled, and says what helps", async () => {
  await using app = await testApp({ resources: [slow], config: { limits: { searchMs: 100 } } })
  await addSlow(app)

  const refused = app.client().search.findByTitle({ query: "bittern" })

  await expect(refused).rejects.toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" })
})
