import { collection, global, route } from "kit"
import pg from "pg"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const WAIT = { timeout: 60_000, interval: 20 }
const EVERYONE = { read: true, create: true, update: true, delete: true, restore: true, purge: true }
const told: string[] = []

const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text(), lines: f.relation("lines").hasMany({ via: "note" }) }))
  .options({ softDelete: true })
  .access(EVERYONE)
const lines = collection("lines")
  .fields(({ f }) => ({ text: f.text(), note: f.relation("notes") }))
  .access(EVERYONE)
const letters = collection("letters")
  .fields(({ f }) => ({ title: f.text() }))
  .access(EVERYONE)
  .hooks({ beforeChange: ({ data }) => void told.push(String(data["title"])) })
const settings = global("settings")
  .fields(({ f }) => ({ title: f.text() }))
  .access({ read: true, update: true })
const both = route().handler(({ transaction }) =>
  transaction(async ({ collections }) => {
    told.push("both")
    await collections["notes"]?.create({ title: "from a route" })
  }),
)

let app: TestApp

beforeAll(async () => {
  app = await testApp({ resources: [notes, lines, letters, settings], routes: { both } })
  await app.database.query(`
    create sequence tries;
    create table losing (tries int, code text);
    create function lose() returns trigger language plpgsql as $$
      declare losing record;
      begin
        select * into losing from losing;
        if nextval('tries') <= losing.tries then raise exception 'lost' using errcode = losing.code; end if;
        return coalesce(new, old);
      end $$;
    ${["notes", "lines", "letters", "global_settings"]
      .map(
        (table) =>
          `create trigger lose before insert or update or delete on ${table} for each row execute function lose();`,
      )
      .join("\n")}
  `)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  await lose(0)
  told.length = 0
})

/** Refuses the next rows that are written, as for the victim of a deadlock. */
async function lose(tries: number, code = "40P01"): Promise<void> {
  await app.database.query(`select setval('tries', 1, false)`)
  await app.database.query("delete from losing")
  await app.database.query("insert into losing values ($1, $2)", [tries, code])
}

async function triesSoFar(): Promise<number> {
  const [row] = await app.database.query("select last_value from tries")
  return Number(row?.["last_value"])
}

const PATHS: readonly { name: string; method: string; path: string; body?: object }[] = [
  { name: "create", method: "POST", path: "notes", body: { title: "b" } },
  { name: "update", method: "PATCH", path: "notes/:id", body: { title: "b" } },
  {
    name: "update with related records",
    method: "PATCH",
    path: "notes/:id",
    body: { lines: { create: [{ text: "x" }] } },
  },
  { name: "delete", method: "DELETE", path: "notes/:id" },
  { name: "restore", method: "POST", path: "notes/:deleted/restore" },
  { name: "purge", method: "POST", path: "notes/:deleted/purge" },
  { name: "update of many", method: "PATCH", path: "notes", body: { where: { title: "a" }, data: { title: "b" } } },
  {
    name: "update of a batch",
    method: "POST",
    path: "notes/update-batch",
    body: { updates: [{ id: ":id", data: {} }] },
  },
  { name: "delete of many", method: "POST", path: "notes/delete-many", body: { where: { title: "a" } } },
  { name: "update of a global", method: "PATCH", path: "globals/settings", body: { title: "b" } },
  { name: "dry run of a create", method: "POST", path: "notes?dryRun=true", body: { title: "b" } },
  { name: "dry run of an update", method: "PATCH", path: "notes/:id?dryRun=true", body: { title: "b" } },
]

describe("a write that the database rolls back in favour of others", () => {
  test.each(PATHS)("is tried again: $name", async ({ method, path, body }) => {
    const api = app.client().collections["notes"]
    const [{ id }, { id: deleted }] = await Promise.all([api.create({ title: "a" }), api.create({ title: "gone" })])
    await api.deleteById({ id: deleted })
    await lose(2)

    const fill = (text: string) => text.replace(":id", id).replace(":deleted", deleted)
    const init = body ? { method, body: fill(JSON.stringify(body)) } : { method }
    const answer = await app.fetch(`/${fill(path)}`, { ...init, headers: { "content-type": "application/json" } })

    expect(answer.body).not.toHaveProperty("error")
    expect(await triesSoFar()).toBeGreaterThan(2)
    expect(app.logged.at(-1)?.message).toBe(
      "A write was rolled back (deadlock, serialization failure or changed table) and is retried.",
    )
  })

  test("leaves one record and one change behind", async () => {
    await lose(3, "40001")

    const { id } = await app.client().collections["notes"].create({ title: "once", lines: { create: [{ text: "x" }] } })

    expect(await app.database.query("select 1 from notes where title = 'once'")).toHaveLength(1)
    expect(await app.database.query(`select 1 from lines where note = $1`, [id])).toHaveLength(1)
  })

  test("is 503 with Retry-After when it goes on", async () => {
    await lose(100)

    const answer = await app.fetch("/notes", post({ title: "never" }))

    expect(answer.status).toBe(503)
    expect(answer.headers.get("retry-after")).toBe("1")
    expect(answer.body.error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: "This conflicted with other writes of the same records and was rolled back. Send it again.",
    })
    expect(await triesSoFar()).toBe(4)
  })

  test.each([
    { name: "a hook has run", path: "/letters", body: { title: "told" } },
    { name: "a hook has run in a dry run", path: "/letters?dryRun=true", body: { title: "told" } },
    { name: "it is part of a transaction of a route", path: "/both", body: {} },
  ])("is not tried again where $name", async ({ path, body }) => {
    await lose(1)

    const answer = await app.fetch(path, post(body))

    expect(answer.status).toBe(503)
    expect(answer.body.error.message).toContain("Send it again.")
    expect(told).toHaveLength(1)
  })

  test("a real deadlock ends well for both sides", async () => {
    const api = app.client().collections["notes"]
    const [first, second, third] = [await api.create({}), await api.create({}), await api.create({})]
    await using gate = await lockOf(second.id)
    await using holder = await lockOf(third.id)
    // The session that closes the cycle detects the deadlock first and becomes its victim: here the app, because the
    // holder has a long deadlock_timeout.
    await holder.query("set deadlock_timeout = '60s'")
    const before = app.logged.length
    const ids = [first.id, second.id, third.id]
    const update = api.updateMany({ where: { id: { in: ids } }, data: { title: "by the app" } })
    await vi.waitFor(async () => expect(await waiting()).toBe(1), WAIT)

    const held = holder.query("update notes set title = 'by the holder' where id = $1", [first.id])
    await vi.waitFor(async () => expect(await waiting()).toBe(2), WAIT)
    await gate.query("commit")
    await held
    await holder.query("commit")

    expect(await update).toMatchObject(Array(3).fill({ title: "by the app" }))
    expect(app.logged.slice(before).map(({ message }) => message)).toContain(
      "A write was rolled back (deadlock, serialization failure or changed table) and is retried.",
    )
  })
})

/** Opens a transaction that holds a lock on this record. */
async function lockOf(id: string) {
  const client = new pg.Client({ connectionString: app.database.url })
  await client.connect()
  await client.query("begin")
  await client.query("select 1 from notes where id = $1 for update", [id])
  const query = (text: string, values?: unknown[]) => client.query(text, values)
  return { query, [Symbol.asyncDispose]: () => client.end() }
}

async function waiting(): Promise<number> {
  const [row] = await app.database.query(
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )
  return Number(row?.["count"])
}

function post(body: object) {
  return { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } }
}
