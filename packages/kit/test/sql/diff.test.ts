import { describe, expect, test } from "vitest"
import { diffSnapshots, isSameSchema } from "../../src/sql/tables/diff.ts"
import { hintsOf, snapshotOf } from "../../src/sql/tables/schema-snapshot.ts"
import {
  type ColumnSnapshot,
  EMPTY_SNAPSHOT,
  readSnapshot,
  type SchemaSnapshot,
  type TableSnapshot,
} from "../../src/sql/tables/snapshot.ts"
import { reportedType } from "../../src/sql/text/column-types.ts"
import { literal } from "../../src/sql/text/literal.ts"
import { schema } from "./newsroom.ts"

const ID: ColumnSnapshot = { name: "id", type: "uuid", nullable: false, primaryKey: true }

describe("a step", () => {
  test.each<{ name: string; before: readonly TableSnapshot[]; after: readonly TableSnapshot[]; steps: string[] }>([
    { name: "nothing for the same tables", before: [items()], after: [items()], steps: [] },
    {
      name: "a new table, its index and its key, in this order",
      before: [],
      after: [{ ...items([text("a")]), ...constraints("a") }],
      steps: [
        'create table "items"',
        'create table "items" ("id" uuid primary key, "a" text)',
        'create index "items.a.unique"',
        "make items.a.unique",
        'add foreign key "items.a.key"',
        "make items.a.key",
      ],
    },
    {
      name: "a new column",
      before: [items()],
      after: [items([text("a")])],
      steps: ['add column "items.a" (text)', 'alter table "items" add column "a" text'],
    },
    {
      name: "a new required column without a value",
      before: [items()],
      after: [items([required("a")])],
      steps: ['add column "items.a" (text, required)', 'alter table "items" add column "a" text not null'],
    },
    {
      name: "a column that is required from now on",
      before: [items([text("a")])],
      after: [items([required("a")])],
      steps: ['require column "items.a"', 'alter table "items" alter column "a" set not null'],
    },
    {
      name: "a column that may be empty from now on",
      before: [items([required("a")])],
      after: [items([text("a")])],
      steps: [
        'make column "items.a" nullable',
        'alter table "items" alter column "a" drop not null, alter column "a" drop default',
      ],
    },
    {
      name: "a column that is gone",
      before: [items([text("a")])],
      after: [items()],
      steps: ['LOSES drop column "items.a" with all its values', 'alter table "items" drop column "a"'],
    },
    {
      name: "the end of versions, told as what it is",
      before: [items([{ ...typed("integer"), name: "_version" }])],
      after: [items()],
      steps: [
        'LOSES drop column "items._version" with all versions of its records',
        'alter table "items" drop column "_version"',
        `delete from "_kit_versions" where "table" = 'items'`,
      ],
    },
    {
      name: "a table that is gone, its key first",
      before: [items(), { ...items([], "old"), foreignKeys: constraints("a").foreignKeys }],
      after: [items()],
      steps: [
        'drop foreign key "items.a.key"',
        'alter table "old" drop constraint "items.a.key"',
        'LOSES drop table "old" with all its records',
        'drop table "old"',
      ],
    },
    {
      name: "an index that is something else under the same name",
      before: [{ ...items([text("a")]), indexes: [{ name: "i", columns: ["a"], unique: true, sql: "one" }] }],
      after: [{ ...items([text("a")]), indexes: [{ name: "i", columns: ["a"], unique: true, sql: "other" }] }],
      steps: ['drop index "i"', 'drop index "i"', 'create index "i"', "other"],
    },
    {
      name: "a key that is away while its column and its target get another type",
      before: [pointing("uuid"), target("uuid")],
      after: [pointing("text"), target("text")],
      steps: [
        'drop foreign key "items.a.key"',
        'alter table "items" drop constraint "items.a.key"',
        'change column "items.a" from uuid to text',
        'alter table "items" alter column "a" type text using "a"::text',
        'change column "targets.id" from uuid to text',
        'alter table "targets" alter column "id" type text using "id"::text',
        'add foreign key "items.a.key"',
        "make items.a.key",
      ],
    },
  ])("is $name", ({ before, after, steps }) => {
    const diff = diffSnapshots(snapshot(before), snapshot(after))

    expect(diff.steps.flatMap(({ title, losesData, sql }) => [losesData ? `LOSES ${title}` : title, ...sql])).toEqual(
      steps,
    )
    expect(diff.refusals).toEqual([])
  })
})

describe("options", () => {
  const selecting = (options: readonly string[]): SchemaSnapshot => ({
    ...snapshot([items([{ ...text("a"), options }])]),
    hasOptions: true,
  })
  const titles = (from: SchemaSnapshot, to: SchemaSnapshot) => diffSnapshots(from, to).steps.map(({ title }) => title)

  test("are compared as sets", () => {
    expect(titles(selecting(["x", "y"]), selecting(["y", "x"]))).toEqual([])
    expect(titles(selecting(["x"]), selecting(["y", "x"]))).toEqual(['allow "y" in column "items.a"'])
    expect(titles(selecting(["x", "y"]), selecting(["x", "z"]))).toEqual(['limit column "items.a" to "x", "z"'])
    expect(titles(selecting(["x"]), { ...snapshot([items([text("a")])]), hasOptions: true })).toEqual([
      'allow any text in column "items.a"',
    ])
  })

  test("are not compared with a snapshot of an earlier kit, which does not have them", () => {
    expect(isSameSchema(snapshot([items([text("a")])]), selecting(["x"]))).toBe(true)
  })
})

describe("a type", () => {
  test.each([
    ["integer", "bigint"],
    ["integer", "numeric(10,2)"],
    ["integer", "double precision"],
    ["bigint", "numeric(20,0)"],
    ["numeric(10,2)", "numeric(12,2)"],
    ["numeric(10,2)", "numeric(12,4)"],
    ["boolean", "text"],
    ["timestamp(3) with time zone", "text"],
    ["uuid", "text"],
  ])("of %s grows to %s", (from, to) => {
    const diff = diffSnapshots(snapshot([items([typed(from)])]), snapshot([items([typed(to)])]))

    expect(diff.steps.map(({ kind, losesData }) => ({ kind, losesData }))).toEqual([
      { kind: "change type", losesData: false },
    ])
    expect(diff.steps[0]?.sql).toEqual([`alter table "items" alter column "a" type ${to} using "a"::${to}`])
  })

  test("of ids that callers make is kept, with a word on what to do", () => {
    const before = snapshot([pointing("text"), target("text")])
    const diff = diffSnapshots(before, snapshot([pointing("uuid"), target("uuid")]))

    expect(diff.steps).toEqual([])
    expect(diff.refusals).toEqual([
      'Table "items" stores "a" as text, but the field is declared as uuid. Give the field a new name, or change the column yourself.',
      'Table "targets" stores ids as text in "id", but the server is to generate them as UUIDs. Keep .options({ id: "client" }), or change the columns yourself.',
    ])
  })

  test("of bigint becomes double only after a look for values that it would round", () => {
    const before = snapshot([items([typed("bigint")])])
    const { steps } = diffSnapshots(before, snapshot([items([typed("double precision")])]))

    expect(steps[0]?.sql).toHaveLength(2)
    expect(steps[0]?.sql[0]).toContain('"a"::double precision::numeric <> "a"')
  })

  test.each([
    ["text", "integer"],
    ["text", "uuid"],
    ["bigint", "integer"],
    ["double precision", "numeric(10,2)"],
    ["numeric(10,2)", "numeric(12,1)"],
    ["numeric(10,2)", "numeric(11,4)"],
    ["numeric(10,2)", "numeric(8,2)"],
    ["numeric(10,2)[]", "numeric(12,2)[]"],
    ["jsonb", "boolean"],
  ])("of %s is refused to become %s", (from, to) => {
    const diff = diffSnapshots(snapshot([items([typed(from)])]), snapshot([items([typed(to)])]))

    expect(diff.steps).toEqual([])
    expect(diff.refusals).toEqual([
      `Table "items" stores "a" as ${from}, but the field is declared as ${to}. Give the field a new name, or change the column yourself.`,
    ])
  })
})

describe("a hint", () => {
  const hints = (table: string, column: { renamedFrom?: string; fill?: string }) => ({
    tables: new Map([["items", ["things"]]]),
    links: new Map(),
    duplicates: new Map(),
    columns: new Map([[table, new Map([["a", { renamedFrom: undefined, fill: undefined, ...column }]])]]),
  })

  test("makes a drop and an addition a rename, of the table and of the column", () => {
    const before = snapshot([items([required("b")], "things")])
    const after = snapshot([items([text("a")])])

    const { steps } = diffSnapshots(before, after, hints("items", { renamedFrom: "b" }))

    expect(steps.flatMap(({ sql }) => sql)).toEqual([
      'alter table "things" rename to "items"',
      'alter table "items" rename column "b" to "a"',
      'alter table "items" alter column "a" drop not null, alter column "a" drop default',
    ])
    expect(steps.some(({ losesData }) => losesData)).toBe(false)
  })

  test("about a rename that has happened already does nothing", () => {
    const done = snapshot([items([text("a")])])

    expect(diffSnapshots(done, done, hints("items", { renamedFrom: "b" })).steps).toEqual([])
  })

  test("looks into the table and column by the names they have before the rename", () => {
    const before = snapshot([items([text("b"), text("c")], "things")])
    const after = snapshot([items([required("a")])])

    const { steps } = diffSnapshots(before, after, hints("items", { renamedFrom: "b" }))

    expect(steps.find(({ kind }) => kind === "require column")?.precondition?.violations).toContain(
      'from "things" where "b" is null',
    )
    expect(steps.find(({ kind }) => kind === "drop column")?.loss?.count).toBe('select count("c") from "things"')
  })

  test("gives the rows that are there a value", () => {
    const filled = hints("items", { fill: "'x'::text" })

    const added = diffSnapshots(snapshot([items()]), snapshot([items([required("a")])]), filled)
    const demanded = diffSnapshots(snapshot([items([text("a")])]), snapshot([items([required("a")])]), filled)

    expect(added.steps[0]?.sql).toEqual([`alter table "items" add column "a" text not null default 'x'::text`])
    expect(added.steps[0]?.precondition).toBeUndefined()
    expect(demanded.steps[0]?.sql[0]).toBe(`update "items" set "a" = 'x'::text where "a" is null`)
  })
})

describe("a snapshot", () => {
  test("of a compiled schema is plain JSON, and the same after a trip through it", () => {
    const made = snapshotOf(schema)

    const read = readSnapshot(JSON.parse(JSON.stringify(made)))

    expect(read).toEqual(made)
    expect(read && isSameSchema(read, made)).toBe(true)
    expect(made.tables.find(({ name }) => name === "people")).toMatchObject({
      columns: [
        ID,
        { name: "name", type: "text", nullable: false },
        { name: "age", type: "integer", nullable: true },
        { name: "team", type: "uuid", nullable: true },
        { name: "createdAt", type: "timestamp(3) with time zone", nullable: false },
        { name: "updatedAt", type: "timestamp(3) with time zone", nullable: false },
      ],
      foreignKeys: [{ name: "people.team.teams.key", column: "team", target: "teams" }],
    })
  })

  test("does not care about the order of columns", () => {
    const one = snapshot([items([text("a"), text("b")])])

    expect(isSameSchema(one, snapshot([items([text("b"), text("a")])]))).toBe(true)
  })

  test("leads back to nothing by dropping every table, keys first", () => {
    const { steps } = diffSnapshots(snapshotOf(schema), EMPTY_SNAPSHOT, hintsOf(schema))

    const kinds = steps.map(({ kind }) => kind)
    expect(new Set(kinds)).toEqual(new Set(["drop key", "drop table"]))
    expect(kinds.lastIndexOf("drop key")).toBeLessThan(kinds.indexOf("drop table"))
  })

  test.each([[null], ["text"], [{}], [{ version: 2, tables: [] }], [{ version: 1, tables: [{}] }]])(
    "is not read from %j",
    (value) => {
      expect(readSnapshot(value)).toBeUndefined()
    },
  )
})

test.each([
  ["numeric(10, 2)", "numeric(10,2)"],
  ["timestamptz(3)", "timestamp(3) with time zone"],
  ["timestamptz(3)[]", "timestamp(3) with time zone[]"],
  ["time(3)", "time(3) without time zone"],
  ["date", "date"],
  ["text[]", "text[]"],
  ["double precision", "double precision"],
])("Postgres reports %s as %s", (sqlType, reported) => {
  expect(reportedType(sqlType)).toBe(reported)
})

test.each([
  ["text", "it's", "'it''s'::text"],
  ["bigint", 7n, "'7'::bigint"],
  ["boolean", true, "'true'::boolean"],
  ["jsonb", { a: "'" }, `'{"a":"''"}'::jsonb`],
  ["text[]", ["a", "b'"], "array['a', 'b''']::text[]"],
  ["numeric(5, 2)[]", [], "array[]::numeric(5, 2)[]"],
  ["timestamptz(3)", new Date(0), "'1970-01-01T00:00:00.000Z'::timestamptz(3)"],
])("a value of %s is written as SQL", (type, value, text) => {
  expect(literal(value, type)).toBe(text)
})

function snapshot(tables: readonly TableSnapshot[]): SchemaSnapshot {
  return { version: 1, tables }
}

function items(columns: readonly ColumnSnapshot[] = [], name = "items"): TableSnapshot {
  return { name, columns: [ID, ...columns], indexes: [], foreignKeys: [] }
}

function text(name: string): ColumnSnapshot {
  return { name, type: "text", nullable: true }
}

function required(name: string): ColumnSnapshot {
  return { ...text(name), nullable: false }
}

function typed(type: string): ColumnSnapshot {
  return { name: "a", type, nullable: true }
}

function constraints(column: string) {
  return {
    indexes: [{ name: `items.${column}.unique`, columns: [column], unique: true, sql: `make items.${column}.unique` }],
    foreignKeys: [{ name: `items.${column}.key`, column, target: "other", sql: `make items.${column}.key` }],
  }
}

function pointing(type: string): TableSnapshot {
  return { ...items([typed(type)]), foreignKeys: constraints("a").foreignKeys }
}

function target(type: string): TableSnapshot {
  return { name: "targets", columns: [{ ...ID, type }], indexes: [], foreignKeys: [] }
}
