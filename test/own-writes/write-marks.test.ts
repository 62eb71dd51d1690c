import { collection, type Session } from "kit"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts"
import { type TestApp, testApp } from "../support/worlds/test-app.ts"

const cards = collection("cards")
  .fields(({ f }) => ({ title: f.text(20) }))
  .access({ read: true, create: true })
const ann: Session = { user: { id: "ann" }, session: { id: "ann 1" } }

describe("the mark of an own write", () => {
  let database: TestDatabase
  let app: TestApp

  beforeAll(async () => {
    database = await createTestDatabase()
    // Connections that are opened from now on wait for the disk, whatever the setting of the test server is.
    await database.query(`alter database "${new URL(database.url).pathname.slice(1)}" set synchronous_commit = on`)
    app = await testApp({ resources: [cards], config: { db: { url: database.url } } })
  })

  afterAll(async () => {
    await app[Symbol.asyncDispose]()
    await database.drop()
  })

  beforeEach(() => app.database.query("delete from _kit_changes"))

  async function create(headers: Record<string, string> = {}): Promise<number> {
    const body = JSON.stringify({ title: "a" })
    return (await app.fetch("/cards", { method: "POST", headers, body, session: ann })).status
  }

  test("is stored only for a write that has a name, and does not say who wrote", async () => {
    const id = crypto.randomUUID()

    await create()
    await create({ "x-kit-write": id })

    const rows = await app.database.query("select record, resource from _kit_changes where resource_kind = 'write'")
    expect(rows.map(({ record }) => record)).toEqual([id])
    expect(String(rows[0]?.["resource"])).not.toContain("ann")
  })

  test("is shared by writes that end together", async () => {
    const ids = Array.from({ length: 40 }, () => crypto.randomUUID())

    await Promise.all(ids.map((id) => create({ "x-kit-write": id })))

    const rows = await app.database.query("select record, xid::text from _kit_changes where resource_kind = 'write'")
    expect(rows.map(({ record }) => record).sort()).toEqual([...ids].sort())
    expect(new Set(rows.map(({ xid }) => xid)).size).toBeLessThan(ids.length)
  })

  test("may fail: the write has succeeded", async () => {
    await app.database.query(`
      create function refuse_marks() returns trigger language plpgsql as $$
      begin if new.resource_kind = 'write' then raise 'no'; end if; return new; end $$;
      create trigger refuse_marks before insert on _kit_changes for each row execute function refuse_marks()`)

    const status = await create({ "x-kit-write": crypto.randomUUID() })
    await app.database.query("drop function refuse_marks cascade")
    const later = await create({ "x-kit-write": crypto.randomUUID() })

    expect([status, later]).toEqual([201, 201])
    expect(app.logged.map(({ message }) => message)).toContain("An error occurred in live queries; they continue.")
  })

  test("does not wait for the disk, and the writes around it do", async () => {
    await app.database.query(`
      create table commits (resource_kind text, setting text);
      create function note_commit() returns trigger language plpgsql as $$
      begin insert into commits values (new.resource_kind, current_setting('synchronous_commit')); return new; end $$;
      create constraint trigger note_commit after insert on _kit_changes deferrable initially deferred
      for each row execute function note_commit()`)

    for (let write = 0; write < 5; write++) await create({ "x-kit-write": crypto.randomUUID() })
    const commits = await app.database.query("select distinct * from commits order by 1")
    await app.database.query("drop function note_commit cascade; drop table commits")

    expect(commits).toEqual([
      { resource_kind: "collection", setting: "on" },
      { resource_kind: "write", setting: "off" },
    ])
  })
})
