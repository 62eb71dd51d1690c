// @module-tag installed-postgres
// @module-tag not-about-engine

import { collection, global } from "kit"
import { describe, expect, test } from "vitest"
import type { TestDatabase } from "../support/test-database.ts"
import { freshDatabase, startOn } from "../support/worlds/synced-app.ts"

const everyone = { read: true, create: true, update: true, delete: true } as const

const posts = collection("posts")
  .fields(({ f }) => ({ title: f.text().required(), author: f.relation("people") }))
  .access(everyone)

const people = collection("people")
  .fields(({ f }) => ({ name: f.text().unique(), role: f.select(["writer", "editor"]) }))
  .indexes([
    { fields: ["role", "name"], unique: true },
    { fields: ["name"], unique: true },
  ])
  .access(everyone)

const settings = global("settings").fields(({ f }) => ({ name: f.text(), home: f.relation("posts") }))

const NOTHING = { createdTables: [], addedColumns: [], liftedConstraints: [], changes: [], kept: [], warnings: [] }

describe("the first start", () => {
  test("creates tables, keys and indexes, and reports them", async () => {
    const database = await freshDatabase()

    const app = await startOn(database, [posts, people, settings])

    expect(app.syncReport).toEqual({
      ...NOTHING,
      createdTables: ["people", "posts", "global_settings"],
    })
    expect(await columnsOf(database, "posts")).toEqual([
      "id uuid not null",
      "title text not null",
      "author uuid",
      "createdAt timestamp(3) with time zone not null",
      "updatedAt timestamp(3) with time zone not null",
    ])
    const indexes = await database.query(
      "select indexdef from pg_indexes where schemaname = 'public' and tablename in ('posts', 'people') order by 1",
    )
    expect(indexes.map(({ indexdef }) => String(indexdef).replace(/ ON .* USING/, ""))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^CREATE INDEX .* \(author, "createdAt" DESC, id DESC\)$/),
        expect.stringMatching(/^CREATE INDEX .* \("createdAt" DESC, id DESC\)$/),
        expect.stringMatching(/^CREATE INDEX .* \(role, "createdAt" DESC, id DESC\)$/),
        expect.stringMatching(/^CREATE UNIQUE INDEX .* \(name\)$/),
        expect.stringMatching(/^CREATE UNIQUE INDEX .* \(role, name\)$/),
      ]),
    )
    expect(await foreignKeysOf(database)).toEqual(["global_settings.home -> posts", "posts.author -> people"])
  })

  test("of ten apps at once on an empty database makes everything once", async () => {
    const database = await freshDatabase()

    const apps = await Promise.all(Array.from({ length: 10 }, () => startOn(database, [posts, people, settings])))

    const created = apps.flatMap((app) => app.syncReport.createdTables)
    expect(created.sort()).toEqual(["global_settings", "people", "posts"])
    const person = await apps[3]?.system.collections["people"]?.create({ name: "Ann" })
    expect(await apps[7]?.system.collections["people"]?.findOne()).toEqual(person)
  })

  test("works with names that need quotes, and with names that look alike when they are joined", async () => {
    const database = await freshDatabase()
    const user = collection("user").fields(({ f }) => ({ select: f.text().unique(), Order: f.number().index() }))
    const first = collection("a").fields(({ f }) => ({ b_c: f.text().unique(), b: f.relation("a_b") }))
    const second = collection("a_b").fields(({ f }) => ({ c: f.text().unique(), newest: f.text().index() }))
    const third = collection("a_newest").fields(({ f }) => ({ c: f.text() }))

    const app = await startOn(database, [user, first, second, third])

    const record = await app.system.collections["user"]?.create({ select: "from", Order: 1 })
    expect(record).toMatchObject({ select: "from", Order: 1 })
    const clash = app.system.collections["user"]?.create({ select: "from" })
    await expect(clash).rejects.toMatchObject({ code: "CONFLICT", fieldErrors: [{ path: "select" }] })
  })

  test("works with names of 63 characters", async () => {
    const database = await freshDatabase()
    const long = (letter: string) => letter.repeat(63)
    const resources = [
      collection(long("c")).fields(({ f }) => ({
        [long("x")]: f.text().unique(),
        [`${"x".repeat(62)}y`]: f.text().unique(),
      })),
      global(long("g")).fields(({ f }) => ({ [long("x")]: f.relation(long("c")) })),
    ]

    await startOn(database, resources)
    const again = await startOn(database, resources)

    expect(again.syncReport).toEqual(NOTHING)
  })
})

describe("a later start", () => {
  test("without a change does nothing", async () => {
    const database = await freshDatabase()
    await startOn(database, [posts, people, settings])
    const before = await shapeOf(database)

    const again = await startOn(database, [posts, people, settings])

    expect(again.syncReport).toEqual(NOTHING)
    expect(await shapeOf(database)).toEqual(before)
  })

  test("knows the columns of every type again, and has none for what is not stored", async () => {
    const database = await freshDatabase()
    const all = collection("all").fields(({ f }) => ({
      date: f.date(),
      time: f.time(),
      many: f.select(["a"]).multiple(),
      texts: f.array(f.text()),
      doubles: f.array(f.number()),
      wholes: f.array(f.number().integer()),
      bigs: f.array(f.number().bigint()),
      decimals: f.array(f.number().decimal(6, 2)),
      flags: f.array(f.boolean()),
      moments: f.array(f.datetime()),
      dates: f.array(f.date()),
      times: f.array(f.time()),
      objects: f.array(f.object({ a: f.text() })),
      object: f.object({ a: f.text() }),
      rich: f.richText(),
      computed: f.computed(() => 1),
      virtual: f.virtual(f.number().integer(), "1 + 1"),
    }))
    await startOn(database, [all])

    const again = await startOn(database, [all])

    expect(again.syncReport).toEqual(NOTHING)
    expect((await columnsOf(database, "all")).slice(1, -2)).toEqual([
      "date date",
      "time time(0) without time zone",
      "many text[]",
      "texts text[]",
      "doubles double precision[]",
      "wholes integer[]",
      "bigs bigint[]",
      "decimals numeric(6,2)[]",
      "flags boolean[]",
      "moments timestamp(3) with time zone[]",
      "dates date[]",
      "times time(0) without time zone[]",
      "objects jsonb",
      "object jsonb",
      "rich jsonb",
    ])
  })

  test("refuses a list where a single value is stored", async () => {
    const database = await freshDatabase()
    await startOn(database, [collection("posts").fields(({ f }) => ({ tags: f.text() }))])

    const listed = startOn(database, [collection("posts").fields(({ f }) => ({ tags: f.array(f.text()) }))])

    await expect(listed).rejects.toThrow('stores "tags" as text, but the field is declared as text[]')
  })

  test.each([
    ["a column that is not in quotes", "length(title)", 'column reference "title" is ambiguous'],
    ["a function that does not exist", 'lenght("title")', "function lenght(text) does not exist"],
    ["broken SQL", 'length("title"', "syntax error"],
    ["an aggregate", 'count("title")', "aggregate functions are not allowed"],
    ["a window", 'rank() over (order by "title")', "window functions are not allowed"],
    ["a value of another type", "true", "cannot cast type boolean to bigint"],
  ])("refuses the SQL of a virtual field with %s", async (_name, sql, message) => {
    const database = await freshDatabase()
    const posts = collection("posts").fields(({ f }) => ({
      title: f.text(),
      size: f.virtual(f.number().bigint(), sql),
    }))

    const started = startOn(database, [posts])

    await expect(started).rejects.toThrow('The field "size" of "posts" has SQL that the database refuses: ')
    await expect(started).rejects.toThrow(message)
    expect(await database.query("select tablename from pg_tables where schemaname = 'public'")).toEqual([])
  })

  test("adds a new field and a new relation, and leaves the records alone", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [people])
    const ann = await first.system.collections["people"]?.create({ name: "Ann" })
    const grown = collection("people")
      .fields(({ f }) => ({ name: f.text().unique(), role: f.select(["writer"]), boss: f.relation("people") }))
      .access(everyone)

    const second = await startOn(database, [grown])

    expect(second.syncReport).toEqual({
      ...NOTHING,
      addedColumns: ["people.boss"],
      liftedConstraints: ["people.role.name.unique"],
    })
    expect(await second.system.collections["people"]?.findOne()).toEqual({ ...ann, boss: null })
    expect(await foreignKeysOf(database)).toEqual(["people.boss -> people"])
  })

  test.each([
    ["text", ({ f }: any) => f.text().trim().default(" new "), "new"],
    ["list", ({ f }: any) => f.array(f.datetime()).default([new Date(0)]), [new Date(0)]],
    ["object", ({ f }: any) => f.object({ a: f.text().default("b"), c: f.text() }).default({}), { a: "b", c: null }],
    ["a moment", ({ f }: any) => f.datetime().default("2026-01-01"), new Date("2026-01-01")],
    ["JSON", ({ f }: any) => f.json().default({ a: [1] }), { a: [1] }],
    ["a big number", ({ f }: any) => f.number().bigint().default(7), 7n],
    ["a decimal", ({ f }: any) => f.number().decimal(5, 2).default(1), "1.00"],
    ["a boolean", ({ f }: any) => f.boolean().default(false), false],
  ])("fills a new required field of %s with its default", async (_name, declare, expected) => {
    const database = await freshDatabase()
    const first = await startOn(database, [people])
    await first.system.collections["people"]?.create({ name: "Ann" })
    const grown = collection("people").fields((tools) => ({
      ...people.declared,
      name: tools.f.text(),
      added: declare(tools).required(),
    }))

    const second = await startOn(database, [grown])

    expect(await second.system.collections["people"]?.findOne()).toMatchObject({ name: "Ann", added: expected })
    expect(await columnsOf(database, "people")).toContainEqual(expect.stringMatching(/^added .* not null$/))
  })

  test("refuses a new required field without a default where records are, and changes nothing", async () => {
    const database = await freshDatabase()
    const first = await startOn(database, [people])
    await first.system.collections["people"]?.create({ name: "Ann" })
    const before = await shapeOf(database)
    const grown = collection("people").fields(({ f }) => ({
      name: f.text(),
      extra: f.text(),
      age: f.number().required(),
    }))

    const second = startOn(database, [grown, posts])

    await expect(second).rejects.toThrow(
      'The field "age" of "people" is required, but the table already has records without it.',
    )
    expect(await shapeOf(database)).toEqual(before)
  })

  test("adds a new required field without a default to an empty table", async () => {
    const database = await freshDatabase()
    await startOn(database, [people])
    const grown = collection("people").fields(({ f }) => ({ name: f.text(), age: f.number().required() }))

    await startOn(database, [grown])

    expect(await columnsOf(database, "people")).toContain("age double precision not null")
  })

  test.each([
    ["another type", ({ f }: any) => f.number(), "as text, but the field is declared as double precision"],
    ["a relation", ({ f }: any) => f.relation("people"), "as text, but the field is declared as uuid"],
  ])("refuses a field that became %s, and changes nothing", async (_name, declare, message) => {
    const database = await freshDatabase()
    await startOn(database, [people])
    const before = await shapeOf(database)
    const changed = collection("people").fields((tools) => ({ extra: tools.f.text(), name: declare(tools) }))

    const second = startOn(database, [changed, posts])

    await expect(second).rejects.toThrow(message)
    expect(await shapeOf(database)).toEqual(before)
  })

  test("no longer enforces what the schema no longer demands", async () => {
    const database = await freshDatabase()
    const before = collection("items").fields(({ f }) => ({
      name: f.text().required(),
      gone: f.text().required(),
      code: f.text().unique(),
      owner: f.relation("people"),
      place: f.relation("people"),
    }))
    const after = collection("items").fields(({ f }) => ({
      name: f.text(),
      code: f.text(),
      place: f.relation("posts"),
    }))
    const first = await startOn(database, [before, people])
    const ann = await first.system.collections["people"]?.create({ name: "Ann" })
    await first.system.collections["items"]?.create({ name: "a", gone: "x", code: "1", owner: ann?.["id"] })

    const second = await startOn(database, [after, people, posts])
    const { items, people: persons, posts: articles } = second.system.collections
    const post = await articles?.create({ title: "x" })
    await items?.create({ code: "1", place: post?.["id"] })

    expect(second.syncReport.liftedConstraints).toEqual([
      "items.name",
      "items.gone",
      "items.code.unique",
      "items.owner.people.key",
      "items.place.people.key",
    ])
    await expect(persons?.deleteById({ id: String(ann?.["id"]) })).resolves.toMatchObject({ success: true })
    await expect(articles?.deleteById({ id: String(post?.["id"]) })).rejects.toMatchObject({ code: "CONFLICT" })
    expect(await database.query("select gone from items order by id")).toEqual([{ gone: "x" }, { gone: null }])
  })

  test("leaves alone what others have added to a table", async () => {
    const database = await freshDatabase()
    await startOn(database, [people])
    await database.query(`alter table people add "by ""hand" integer not null default 7`)
    await database.query(`create unique index "own" on people ("by ""hand", name)`)
    const before = await shapeOf(database)

    const again = await startOn(database, [people])

    expect(again.syncReport.liftedConstraints).toEqual([])
    expect(await shapeOf(database)).toEqual(before)
  })

  test("requires a field from now on, if every record has it or gets its default", async () => {
    const database = await freshDatabase()
    const declared = (declare: (f: any) => any) => collection("items").fields(({ f }) => ({ name: declare(f) }))
    const first = await startOn(database, [declared((f) => f.text())])
    await first.system.collections["items"]?.create({ name: null })

    const refused = startOn(database, [declared((f) => f.text().required())])
    await expect(refused).rejects.toThrow('The field "name" of "items" is required')
    const second = await startOn(database, [declared((f) => f.text().required().default("none"))])

    expect(await second.system.collections["items"]?.findOne()).toMatchObject({ name: "none" })
    expect(await columnsOf(database, "items")).toContain("name text not null")
  })

  test("refuses to make a field unique whose values are not, and says which", async () => {
    const database = await freshDatabase()
    const declared = (declare: (f: any) => any) => collection("items").fields(({ f }) => ({ name: declare(f) }))
    const first = await startOn(database, [declared((f) => f.text())])
    for (const name of ["a", "a"]) await first.system.collections["items"]?.create({ name })

    const second = startOn(database, [declared((f) => f.text().unique())])

    await expect(second).rejects.toThrow(
      'The field "name" of "items" is unique, but some records have the same value. Values that occur more than once: 1, such as "a" in 2 records.',
    )
  })

  test("gives a decimal more digits, and refuses fewer on either side of the point", async () => {
    const database = await freshDatabase()
    const priced = (precision: number, scale: number) =>
      collection("items").fields(({ f }) => ({ price: f.number().decimal(precision, scale) }))
    const first = await startOn(database, [priced(10, 2)])
    await first.system.collections["items"]?.create({ price: "99999999.99" })

    await expect(startOn(database, [priced(11, 4)])).rejects.toThrow(
      'stores "price" as numeric(10,2), but the field is declared as numeric(11,4)',
    )
    const second = await startOn(database, [priced(12, 4)])

    expect(second.syncReport.changes).toEqual(['change column "items.price" from numeric(10,2) to numeric(12,4)'])
    expect(await second.system.collections["items"]?.find()).toMatchObject({ docs: [{ price: "99999999.9900" }] })
    await expect(startOn(database, [priced(10, 2)])).rejects.toThrow('stores "price" as numeric(12,4)')
  })
})

async function columnsOf(database: TestDatabase, table: string): Promise<string[]> {
  const rows = await database.query(
    `select attname || ' ' || format_type(atttypid, atttypmod) || case when attnotnull then ' not null' else '' end as text
     from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum`,
    [table],
  )
  return rows.map(({ text }) => String(text))
}

async function foreignKeysOf(database: TestDatabase): Promise<string[]> {
  const rows = await database.query(
    `select conrelid::regclass || '.' || attname || ' -> ' || confrelid::regclass as text
     from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
     where contype = 'f' and not starts_with(conrelid::regclass::text, '_kit_') order by 1`,
  )
  return rows.map(({ text }) => String(text))
}

/** Returns every table with its columns, indexes and keys. */
async function shapeOf(database: TestDatabase): Promise<unknown> {
  const tables = await database.query("select tablename::text from pg_tables where schemaname = 'public' order by 1")
  const columns = await Promise.all(tables.map(({ tablename }) => columnsOf(database, `"${tablename}"`)))
  const indexes = await database.query("select indexdef from pg_indexes where schemaname = 'public' order by 1")
  return { tables, columns, indexes, keys: await foreignKeysOf(database) }
}
