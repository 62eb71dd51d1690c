import type { AppSchema, Resource } from "../../schema/compile/resource.ts"
import { quote } from "../../sql/text/fragment.ts"

/** Returns the key that identifies a resource. It is the same in every locale and stage. */
export function resourceKey({ kind, name }: Pick<Resource, "kind" | "name">): string {
  return `${kind} ${name}`
}

/**
 * Returns the keys of the resources that a generated SQL statement reads. The set may have too many keys, but never too
 * few.
 */
export function tablesRead(schema: AppSchema, text: string): ReadonlySet<string> {
  const found = tablesNamed(schema, text).map(({ key }) => key)
  return new Set([...found, ...tablesReadByAuthor(schema, text)])
}

/**
 * Returns the keys of the resources that the SQL statement reads through virtual fields, whose SQL the author wrote.
 */
export function tablesReadByAuthor(schema: AppSchema, text: string): ReadonlySet<string> {
  const virtual = tablesNamed(schema, text).flatMap(({ virtualTexts }) => virtualTexts)
  return tablesMentioned(schema, virtual)
}

function tablesNamed(schema: AppSchema, text: string): readonly NamedTable[] {
  return tablesOf(schema).filter(({ quoted }) => text.includes(quoted))
}

/** Like `tablesRead`, but for SQL that the author wrote, in which table names may be quoted or unquoted. */
export function tablesMentioned(schema: AppSchema, texts: readonly string[]): ReadonlySet<string> {
  if (texts.length === 0) return NONE
  const found = tablesOf(schema).filter(({ word }) => texts.some((text) => word.test(text)))
  return new Set(found.map(({ key }) => key))
}

const NONE: ReadonlySet<string> = new Set()

/**
 * A table that holds a resource's records, or their copies in a stage. In both cases `key` is the key of the resource.
 */
interface NamedTable {
  readonly key: string
  readonly quoted: string
  readonly word: RegExp
  /** The SQL that the author wrote for the table's virtual fields. */
  readonly virtualTexts: readonly string[]
}

const known = new WeakMap<AppSchema["tables"], readonly NamedTable[]>()

function tablesOf({ tables }: AppSchema): readonly NamedTable[] {
  const found = known.get(tables) ?? tables.map(namedTable)
  known.set(tables, found)
  return found
}

function namedTable(resource: Resource): NamedTable {
  const { table, fields } = resource
  return {
    key: resourceKey(resource),
    quoted: quote(table),
    word: new RegExp(`\\b${table.replace(/[^\w]/g, "\\$&")}\\b`, "i"),
    virtualTexts: [...fields.values()].flatMap(({ type }) => type.expression?.map(textOf) ?? []),
  }
}

function textOf(part: object): string {
  return "text" in part ? String(part.text) : ""
}
