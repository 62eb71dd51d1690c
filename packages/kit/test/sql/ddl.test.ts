import { describe, expect, test } from "vitest"
import {
  addColumn,
  addFilledColumn,
  addForeignKey,
  changeType,
  createIndex,
  createTable,
  dropColumn,
  dropConstraint,
  dropIndex,
  dropNotNull,
  dropTable,
  fillColumn,
  renameColumn,
  renameTable,
  setNotNull,
} from "../../src/sql/tables/ddl.ts"
import { snapshotOf } from "../../src/sql/tables/schema-snapshot.ts"
import { resourceNamed, schema } from "./newsroom.ts"

const posts = resourceNamed("posts")
const tables = new Map(snapshotOf(schema).tables.map((table) => [table.name, table]))

const TITLE = { name: "title", type: "text", nullable: false }

describe("tables", () => {
  test.each([
    [
      "posts",
      'create table "posts" ("id" uuid primary key, "title" text not null, "slug" text, "price" numeric(10,2), ' +
        '"views" bigint, "at" timestamp(3) with time zone, "kind" text, "meta" jsonb, "author" uuid not null, ' +
        '"createdAt" timestamp(3) with time zone not null, "updatedAt" timestamp(3) with time zone not null)',
    ],
    ["plain", 'create table "plain" ("id" uuid primary key, "name" text, "parent" uuid)'],
    [
      "global_site",
      'create table "global_site" ("id" uuid primary key, "name" text, "home" uuid, ' +
        '"createdAt" timestamp(3) with time zone not null, "updatedAt" timestamp(3) with time zone not null)',
    ],
  ])("%s has its columns in the order of the fields", (name, text) => {
    const table = tables.get(name)

    expect(table && createTable(table)).toBe(text)
  })

  test.each([
    [addColumn("posts", TITLE), 'alter table "posts" add column "title" text not null'],
    [renameColumn("posts", "a", "b"), 'alter table "posts" rename column "a" to "b"'],
    [dropColumn("posts", "a"), 'alter table "posts" drop column "a"'],
    [fillColumn("posts", { ...TITLE, name: "a" }, "'x'"), `update "posts" set "a" = 'x' where "a" is null`],
    [setNotNull("posts", "a"), 'alter table "posts" alter column "a" set not null'],
    [dropNotNull("posts", "a"), 'alter table "posts" alter column "a" drop not null, alter column "a" drop default'],
    [changeType("posts", TITLE), 'alter table "posts" alter column "title" type text using "title"::text'],
    [renameTable("a", "b"), 'alter table "a" rename to "b"'],
    [dropTable("a"), 'drop table "a"'],
  ])("%s", (text, expected) => {
    expect(text).toBe(expected)
  })

  test("a key of several columns is the table's", () => {
    const columns = ["a", "b"].map((name) => ({ name, type: "uuid", nullable: false, primaryKey: true as const }))

    expect(createTable({ name: "links", columns, indexes: [], foreignKeys: [] })).toBe(
      'create table "links" ("a" uuid not null, "b" uuid not null, primary key ("a", "b"))',
    )
  })

  test("a required column is added with a value for the rows that are there and for those of an older version", () => {
    expect(addFilledColumn("posts", TITLE, "'x'::text")).toBe(
      `alter table "posts" add column "title" text not null default 'x'::text`,
    )
  })
})

describe("indexes and keys", () => {
  test.each([
    [
      "posts",
      [
        'create index "posts.newest" on "posts" ("createdAt" desc, "id" desc)',
        'create unique index "posts.slug.unique" on "posts" ("slug")',
        'create index "posts.kind.index" on "posts" ("kind", "createdAt" desc, "id" desc)',
        'create index "posts.author.target" on "posts" ("author")',
        'create index "posts.author.index" on "posts" ("author", "createdAt" desc, "id" desc)',
        'create unique index "posts.kind.slug.unique" on "posts" ("kind", "slug")',
      ],
    ],
    ["plain", ['create index "plain.parent.index" on "plain" ("parent")']],
    [
      "lists",
      [
        'create index "lists.newest" on "lists" ("createdAt" desc, "id" desc)',
        'create index "lists.tags.index" on "lists" using gin ("tags")',
      ],
    ],
    ["site", []],
  ])("of %s serve its lists and keep values unique", (name, texts) => {
    const resource = resourceNamed(name)

    expect(resource.indexes.map((index) => createIndex(resource, index))).toEqual(texts)
  })

  test("a relation is a foreign key", () => {
    const key = posts.foreignKeys[0]

    expect(key && addForeignKey(posts, key)).toBe(
      'alter table "posts" add constraint "posts.author.people.key" foreign key ("author") references "people" ("id")',
    )
  })

  test("names that were found in the database are quoted, whatever they hold", () => {
    expect(dropIndex("posts.slug.unique")).toBe('drop index "posts.slug.unique"')
    expect(dropConstraint("posts", 'a"b')).toBe('alter table "posts" drop constraint "a""b"')
    expect(dropNotNull("posts", '"; drop table posts; --')).toBe(
      'alter table "posts" alter column """; drop table posts; --" drop not null, ' +
        'alter column """; drop table posts; --" drop default',
    )
  })
})
