// @module-tag full-count

import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { count } from "../../../../test/support/count.ts"
import { collection } from "../../src/schema/builders/collection.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import { type AppSchema, type Resource, type ResourceField, toManyOf } from "../../src/schema/compile/resource.ts"
import { guardedFilter } from "../../src/sql/filter/guarded-filter.ts"
import { maskedField } from "../../src/sql/filter/masked-field.ts"
import {
  type Access,
  EVERYTHING,
  type Predicate,
  predicateOf,
  type Visibility,
} from "../../src/sql/filter/predicate.ts"
import { typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseGroupBy } from "../../src/sql/parse/parse-group.ts"
import { parseOrder } from "../../src/sql/parse/parse-order.ts"
import { parseSelection } from "../../src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import type { Selection } from "../../src/sql/parse/selection.ts"
import { selectGroups } from "../../src/sql/read/group.ts"
import { countMatching, type PageRead, selectMatching, selectPageWithTotal } from "../../src/sql/read/select.ts"
import { selectPageAsJson } from "../../src/sql/read/select-json.ts"
import { tablesOfRead } from "../../src/sql/read/tables-read.ts"
import { selectVersion } from "../../src/sql/versions/read-versions.ts"

// No column has the name of a table, so that the quoted name of a table in a text is always the table.
const cities = collection("cities").fields(({ f }) => ({ label: f.text(), twin: f.relation("cities") }))

const people = collection("people")
  .fields(({ f }) => ({
    label: f.text(),
    home: f.relation("cities"),
    written: f.relation("books").hasMany({ via: "author" }),
    remarks: f.virtual(f.number().integer(), '(select count(*)::int from notes n where n.about = "id")'),
  }))
  .options({ softDelete: true })

const books = collection("books")
  .fields(({ f }) => ({
    label: f.text().localized(),
    author: f.relation("people"),
    prequel: f.relation("books"),
    subjects: f.relation("topics").manyToMany({ through: "bookTopics" }),
    words: f.computed(({ row }) => String(row["label"]).split(" ").length),
  }))
  .options({ versions: true, workflow: true })

const topics = collection("topics").fields(({ f }) => ({
  label: f.text(),
  parent: f.relation("topics"),
  reading: f.relation("books").manyToMany({ through: "bookTopics" }),
}))

const notes = collection("notes").fields(({ f }) => ({ label: f.text(), about: f.relation("people") }))

const schema = compile()

function compile(): AppSchema {
  const sources = [cities, people, books, topics, notes].map(({ definition }) => ({
    file: definition.name,
    definition,
  }))
  const compiled = compileSchema(sources, { locales: { default: "en", all: ["en", "sk"] } })
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  return compiled.schema
}

const SCHEMAS = [schema, schema.inStages(new Map([["books", "published"]]))]
const NAMES = ["cities", "people", "books", "topics", "notes"]

type Generator = fc.GeneratorValue
const chance = (gen: Generator, percent: number) => gen(fc.nat, { max: 99 }) < percent
const oneOf = <Value>(gen: Generator, values: readonly Value[]): Value => {
  const value = values[gen(fc.nat, { max: values.length - 1 })]
  if (value === undefined) throw new Error("There is nothing to choose from.")
  return value
}

function relationsOf({ fields }: Resource): readonly ResourceField[] {
  return [...fields.values()].filter(({ relation }) => relation !== undefined)
}

/** Generates a filter that follows relations, at most `depth` of them in a row. */
function someWhere(gen: Generator, resource: Resource, depth: number): object {
  const relation = oneOf(gen, relationsOf(resource))
  const { target = resource } = relation.relation ?? {}
  const inner = () => someWhere(gen, target, depth - 1)
  const kind = depth === 0 ? 0 : gen(fc.nat, { max: 6 })
  if (kind === 1) return { OR: [someWhere(gen, resource, depth - 1), someWhere(gen, resource, depth - 1)] }
  if (kind === 2) return { NOT: someWhere(gen, resource, depth - 1) }
  if (kind > 2 && toManyOf(relation)) return { [relation.name]: { [oneOf(gen, ["some", "none", "every"])]: inner() } }
  if (kind > 2) return { [relation.name]: { [oneOf(gen, ["is", "isNot"])]: inner() } }
  if (resource.name === "people" && chance(gen, 30)) return { remarks: { gt: 1 } }
  return { label: { contains: "a" } }
}

function someOrder(gen: Generator, resource: Resource, depth: number): object {
  const through = relationsOf(resource).filter((field) => toManyOf(field) === undefined)
  if (depth === 0 || through.length === 0 || chance(gen, 50)) return { [oneOf(gen, ["label", "id"])]: "asc" }
  const relation = oneOf(gen, through)
  return { [relation.name]: someOrder(gen, relation.target ?? resource, depth - 1) }
}

function someWith(gen: Generator, resource: Resource, depth: number): object {
  const named = relationsOf(resource).filter(() => depth > 0 && chance(gen, 40))
  return Object.fromEntries(named.map((relation) => [relation.name, someRelation(gen, relation, depth)]))
}

function someRelation(gen: Generator, relation: ResourceField, depth: number): object {
  const { target } = relation.relation ?? {}
  if (target === undefined) throw new Error(`"${relation.name}" is not a relation.`)
  return {
    with: someWith(gen, target, depth - 1),
    ...(chance(gen, 20) && { where: someWhere(gen, target, 1) }),
    ...(toManyOf(relation) && { orderBy: someOrder(gen, target, 1), limit: 3, _count: chance(gen, 50) }),
  }
}

/** Generates the rights of a caller: rules for the rows of some resources, and for some fields in some rows. */
function someVisibility(gen: Generator, read: AppSchema): Visibility {
  const filterOn = (resource: Resource): Predicate =>
    parseWhere(resource, someWhere(gen, resource, 2), typedParseContext(EVERYTHING))
  const rows = new Map<Resource, Access>()
  const fields = new Map<Resource, ReadonlyMap<string, ResourceField>>()
  for (const resource of NAMES.map((name) => resourceIn(read, name))) {
    if (chance(gen, 30)) rows.set(resource, { kind: "where", predicate: filterOn(resource) })
    const masked = [...resource.fields].map(([name, field]): [string, ResourceField] =>
      chance(gen, 10) && field !== resource.id ? [name, maskedField(field, filterOn(resource))] : [name, field],
    )
    if (chance(gen, 30)) fields.set(resource, new Map(masked))
  }
  return {
    fields: (resource) => fields.get(resource) ?? resource.fields,
    rows: (resource) => rows.get(resource) ?? EVERYTHING.rows(resource),
  }
}

function resourceIn({ collections }: AppSchema, name: string): Resource {
  const resource = collections.get(name)
  if (resource === undefined) throw new Error(`There is no ${name}.`)
  return resource
}

function someRead(gen: Generator): PageRead {
  const read = oneOf(gen, SCHEMAS)
  const resource = resourceIn(read, oneOf(gen, NAMES))
  const visibility = chance(gen, 30) ? EVERYTHING : someVisibility(gen, read)
  const reading = typedParseContext(visibility)
  const columns = chance(gen, 50) ? { columns: { label: true } } : {}
  const filter = chance(gen, 60) ? someWhere(gen, resource, 3) : {}
  return {
    selection: parseSelection(resource, { ...columns, with: someWith(gen, resource, 3) }, reading),
    predicate: guardedFilter(predicateOf(visibility.rows(resource)), parseWhere(resource, filter, reading)),
    order: parseOrder(resource, someOrder(gen, resource, 2), reading),
    window: { limit: 10, offset: 0 },
    visibility,
  }
}

/** Returns the tables of the schema that a generated SQL text names. */
function tablesIn(text: string): string[] {
  const all = [...schema.tables.map(({ table }) => table), ...schema.links.map(({ name }) => name)]
  return all.filter((table) => text.includes(`"${table}"`)).sort()
}

const timesNamed = (table: string, text: string) => text.split(`"${table}" `).length - 1

function timesHydrated(table: string, { relations }: Selection): number {
  return relations.reduce((times, { selection, toMany }) => {
    const isSame = toMany === undefined && selection.resource.table === table
    return times + (isSame ? 1 : 0) + timesHydrated(table, selection)
  }, 0)
}

const sorted = (tables: Iterable<string> = []) => [...tables].sort()

/** Checks generated reads, in both stages, of callers with all kinds of rights. */
function checkReads(check: (read: PageRead) => void): void {
  fc.assert(
    fc.property(fc.gen(), (gen) => check(someRead(gen))),
    { numRuns: count({ short: 200, long: 700 }), endOnFailure: true },
  )
}

describe("the tables that are collected from a parsed read", () => {
  test("are those that the text of its statement names", () => {
    checkReads((read) => {
      const { selection, predicate } = read
      const asJson = selectPageAsJson(read)
      const statements = [
        selectPageWithTotal(read),
        selectMatching(selection, predicate),
        countMatching(selection.resource, predicate),
        ...(asJson ? [asJson] : []),
      ]

      for (const { text, tablesRead } of statements) expect(sorted(tablesRead?.().tables)).toEqual(tablesIn(text))
    })
  })

  test("include those of a read of groups", () => {
    checkReads((read) => {
      const { resource } = read.selection
      const grouping = parseGroupBy(resource, "label", typedParseContext(read.visibility))
      const { text, tablesRead } = selectGroups({ counting: { kind: "exact" }, ...read, grouping })

      expect(sorted(tablesRead?.().tables)).toEqual(tablesIn(text))
    })
  })

  test("include those of a read of versions", () => {
    const reading = typedParseContext(EVERYTHING)
    const selection = parseSelection(resourceIn(schema, "books"), { with: { author: true } }, reading)
    const { text, tablesRead } = selectVersion(selection, "7")

    expect(sorted(tablesRead?.().tables)).toEqual(tablesIn(text))
  })

  test("count as read for the records alone only if the text names the table for the page and for its total", () => {
    checkReads((read) => {
      const { isOwnTableReadOnce } = tablesOfRead(read)
      const times = timesNamed(read.selection.resource.table, selectPageWithTotal(read).text)

      expect(isOwnTableReadOnce).toBe(times === 2)
    })
  })

  test("count as hydrated only if the text names them for to-one relations alone", () => {
    checkReads((read) => {
      const { text } = selectPageWithTotal(read)

      for (const table of tablesOfRead(read).onlyHydrated)
        expect(timesNamed(table, text)).toBe(timesHydrated(table, read.selection))
    })
  })

  test("come with the author's SQL of the virtual fields that the read uses", () => {
    checkReads((read) => {
      const isVirtualRead = selectPageWithTotal(read).text.includes("from notes n")

      expect([...tablesOfRead(read).authorSql].join("").includes("from notes n")).toBe(isVirtualRead)
    })
  })
})
