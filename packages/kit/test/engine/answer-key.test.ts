import { expect, test } from "vitest"
import { answerKey } from "../../src/engine/read/answer-key.ts"
import { extendedMeta, toRecord } from "../../src/engine/read/records.ts"
import { collection } from "../../src/schema/builders/collection.ts"
import { compileSchema } from "../../src/schema/compile/compile.ts"
import type { AppSchema, Resource, ResourceField } from "../../src/schema/compile/resource.ts"
import { maskedField } from "../../src/sql/filter/masked-field.ts"
import { ALWAYS, EVERYTHING, type Visibility } from "../../src/sql/filter/predicate.ts"
import { typedParseContext } from "../../src/sql/parse/parse-context.ts"
import { parseSelection } from "../../src/sql/parse/parse-selection.ts"
import { parseWhere } from "../../src/sql/parse/parse-where.ts"
import type { Selection } from "../../src/sql/parse/selection.ts"
import { selectMatching } from "../../src/sql/read/select.ts"

const people = collection("people").fields(({ f }) => ({
  name: f.text(),
  initial: f.computed(({ row }) => String(row["name"]).charAt(0)),
  posts: f.relation("posts").hasMany({ via: "author" }),
  works: f.relation("posts").hasMany({ via: "author" }),
}))

const posts = collection("posts")
  .fields(({ f }) => ({
    title: f.text().localized(),
    at: f.datetime(),
    words: f.computed(({ row }) => `words of ${row["title"]}`),
    letters: f.computed(({ row }) => `letters of ${row["title"]}`),
    upper: f.virtual(f.text(), "upper('a')"),
    loud: f.virtual(f.text(), "upper('a')"),
    author: f.relation("people"),
  }))
  .options({ timestamps: false })

function compile(): AppSchema {
  const sources = [people, posts].map(({ definition }) => ({ file: definition.name, definition }))
  const compiled = compileSchema(sources, { locales: { default: "en", all: ["en", "sk"], fallback: { en: ["sk"] } } })
  if ("mistakes" in compiled) throw new Error(JSON.stringify(compiled.mistakes))
  return compiled.schema
}

const schema = compile()

const COLUMNS = [
  undefined,
  { words: true },
  { letters: true },
  { words: true, letters: true },
  { title: true, at: true, upper: true, loud: true, author: true, words: true },
  { title: true },
  { upper: true },
  { loud: true },
]
const RELATIONS = [
  undefined,
  { author: true },
  { author: { columns: { name: true } } },
  { author: { columns: { initial: true } } },
  { author: { columns: { name: true, initial: true } } },
  { author: { columns: { name: true }, with: { posts: { columns: { words: true } } } } },
  { author: { columns: { name: true }, with: { posts: { columns: { letters: true } } } } },
  { author: { columns: { name: true }, with: { works: { columns: { letters: true } } } } },
  { author: { columns: { name: true }, with: { posts: { limit: 0 } } } },
  { author: { columns: { name: true }, with: { works: { limit: 0, columns: { title: true } } } } },
]
const LOCALES = ["sk", "*"].flatMap((locale) => [true, false].map((hasFallback) => ({ locale, hasFallback })))

type ShowField = (field: ResourceField) => ResourceField | undefined

/**
 * The visibility of fields for different callers: all fields, all but one, and all with one of them in some rows only.
 */
const VISIBILITIES: readonly ((read: AppSchema) => ShowField)[] = [
  () => (field) => field,
  () => (field) => (field.name === "words" ? undefined : field),
  (read) => masking(read, "words"),
  (read) => masking(read, "letters"),
  (read) => masking(read, "at"),
]

function masking(read: AppSchema, hidden: string): ShowField {
  const resource = read.collections.get("posts")
  const mask = resource && parseWhere(resource, { at: { isNotNull: true } }, typedParseContext(EVERYTHING))
  return (field) => (mask && field.name === hidden ? maskedField(field, mask) : field)
}

// Each caller for whom rules are evaluated has separate maps.
function visibilityOf(show: ShowField): Visibility {
  const maps = new Map<Resource, ReadonlyMap<string, ResourceField>>()
  const fieldsOf = (resource: Resource) => {
    const shown = [...resource.fields.values()].flatMap((field) => show(field) ?? [])
    const known = maps.get(resource) ?? new Map(shown.map((field) => [field.name, field]))
    maps.set(resource, known)
    return known
  }
  return { ...EVERYTHING, fields: fieldsOf }
}

interface PlannedRead {
  readonly selection: Selection
  readonly statement: string
  readonly key: string
  readonly options: unknown
}

function plan(options: { columns?: unknown; with?: unknown }, locale: (typeof LOCALES)[number], who: number) {
  const read = schema.inLocale(locale)
  const resource = read.collections.get("posts")
  const show = VISIBILITIES[who]?.(read)
  if (resource === undefined || show === undefined) throw new Error("There is no such read.")
  const selection = parseSelection(resource, options, typedParseContext(visibilityOf(show)))
  const statement = selectMatching(selection, ALWAYS)
  return {
    selection,
    statement: JSON.stringify([statement, locale.locale]),
    key: answerKey({ statement, selection, locale: locale.locale }),
    options: { ...options, ...locale, who },
  }
}

function allReads(): readonly PlannedRead[] {
  const reads: PlannedRead[] = []
  for (const columns of COLUMNS)
    for (const relations of RELATIONS)
      for (const locale of LOCALES)
        for (const who of VISIBILITIES.keys()) {
          if (who === 1 && JSON.stringify([columns, relations]).includes("words")) continue
          reads.push(plan({ ...(columns && { columns }), ...(relations && { with: relations }) }, locale, who))
        }
  return reads
}

/**
 * A row as the statement of the selection returns it, with distinct values, in which some fields are visible or hidden.
 */
function rowOf(selection: Selection, isShown: boolean): unknown[] {
  const { fields, masked = [], relations } = selection
  const own = fields.map(({ name, type }) => (type.sqlType === "jsonb" ? { en: null, sk: name } : `value of ${name}`))
  const related = relations.flatMap(({ toMany, selection: inner }) =>
    toMany
      ? [[Object.fromEntries(rowOf(inner, isShown).map((value, index) => [`c${index}`, value]))]]
      : rowOf(inner, isShown),
  )
  return [...own, ...masked.map(() => isShown), ...related]
}

/** Returns the complete answer for these rows. */
function answersOf(selection: Selection, rows: readonly unknown[][]): string {
  return JSON.stringify([rows.map((row) => toRecord(selection, row)), extendedMeta(selection, "docs.*.")])
}

function groupedBy(reads: readonly PlannedRead[], of: "key" | "statement"): readonly (readonly PlannedRead[])[] {
  const groups = new Map<string, PlannedRead[]>()
  for (const read of reads) {
    const group = groups.get(read[of]) ?? []
    groups.set(read[of], group)
    group.push(read)
  }
  return [...groups.values()]
}

/** True if the same rows give the same answer for all reads. */
function areAnsweredAlike(reads: readonly PlannedRead[]): boolean {
  const [first] = reads
  const rows = first ? [rowOf(first.selection, true), rowOf(first.selection, false)] : []
  return new Set(reads.map(({ selection }) => answersOf(selection, rows))).size <= 1
}

test("reads of one key make the same answer of the same rows, which reads of one statement do not", () => {
  const reads = allReads()

  const wrong = groupedBy(reads, "key").filter((group) => !areAnsweredAlike(group))

  expect(wrong.map((group) => group.map(({ options }) => options))).toEqual([])
  expect(groupedBy(reads, "statement").filter((group) => !areAnsweredAlike(group)).length).toBeGreaterThan(50)
})

test("a read that is planned again, for a caller of the same rights, has the same key", () => {
  const keys = allReads().map(({ key }) => key)

  expect(allReads().map(({ key }) => key)).toEqual(keys)
})
