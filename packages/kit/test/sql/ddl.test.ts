import { describe, expect, test } from "vitest"
import type { Resource, ResourceField } from "../../src/schema/resource.ts"
import {
  addColumn,
  addForeignKey,
  createIndex,
  createTable,
  dropConstraint,
  dropIndex,
  fillColumn,
  releaseColumn,
  requireColumn,
} from "../../src/sql/ddl.ts"
import { resourceNamed } from "./newsroom.ts"

const posts = resourceNamed("posts")

function field(resource: Resource, name: string): ResourceField {
  const found = resource.fields.get(name)
  if (found === undefined) throw new Error(`There is no field ${name}.`)
  return found
}

describe("tables", () => {
  test.each([
    [
      "posts",
      'create table "posts" ("id" uuid primary key, "title" text not null, "slug" text, "price" numeric(10, 2), ' +
        '"views" bigint, "at" timestamptz(3), "kind" text, "meta" jsonb, "author" uuid not null, ' +
        '"createdAt" timestamptz(3) not null, "updatedAt" timestamptz(3) not null)',
    ],
    ["plain", 'create table "plain" ("id" uuid primary key, "name" text, "parent" uuid)'],
    [
      "site",
      'create table "global_site" ("id" uuid primary key, "name" text, "home" uuid, ' +
        '"createdAt" timestamptz(3) not null, "updatedAt" timestamptz(3) not null)',
    ],
  ])("%s has its columns in the order of the fields", (name, text) => {
    expect(createTable(resourceNamed(name))).toBe(text)
  })

  test("a column is added, filled, required and released", () => {
    const title = { ...field(posts, "title"), default: "none" }

    expect(addColumn(posts, title)).toBe('alter table "posts" add column "title" text not null')
    expect(fillColumn(posts, title)).toEqual({
      text: 'update "posts" set "title" = $1 where "title" is null',
      values: ["none"],
    })
    expect(requireColumn(posts, title)).toBe('alter table "posts" alter column "title" set not null')
    expect(releaseColumn(posts, "title")).toBe('alter table "posts" alter column "title" drop not null')
  })

  test.each([
    ["at", "2026-01-01", "2026-01-01T00:00:00.000Z"],
    ["meta", { a: 1 }, '{"a":1}'],
    ["views", 7, 7n],
  ])("a default of %s is filled in as a write would store it", (name, value, stored) => {
    expect(fillColumn(posts, { ...field(posts, name), default: value }).values).toEqual([stored])
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
    expect(dropConstraint(posts, 'a"b')).toBe('alter table "posts" drop constraint "a""b"')
    expect(releaseColumn(posts, '"; drop table posts; --')).toBe(
      'alter table "posts" alter column """; drop table posts; --" drop not null',
    )
  })
})
