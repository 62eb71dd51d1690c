import type { Statement } from "../../ports/database.ts"
import type { AppSchema, Resource } from "../../schema/compile/resource.ts"

/** Returns the key that identifies a resource. It is the same in every locale and stage. */
export function resourceKey({ kind, name }: Pick<Resource, "kind" | "name">): string {
  return `${kind} ${name}`
}

/**
 * Returns the keys of the resources that a statement reads. If the statement does not list its tables, they are searched
 * for in its text, as in SQL of the author. There may be too many keys in the result, but never too few.
 */
export function resourcesRead(schema: AppSchema, { text, tablesRead }: Statement): ReadonlySet<string> {
  if (tablesRead === undefined) return resourcesMentioned(schema, [text])
  const { tables, authorSql } = tablesRead()
  return new Set([...resourcesOf(schema, tables), ...resourcesMentioned(schema, authorSql)])
}

/** Returns the keys of the resources whose records, or whose copies of records in a stage, are in these tables. */
export function resourcesOf(schema: AppSchema, tables: ReadonlySet<string>): readonly string[] {
  return tablesOf(schema).flatMap(({ table, key }) => (tables.has(table) ? [key] : []))
}

/** Returns the keys of the resources whose tables the author's SQL names, with or without quotes. */
export function resourcesMentioned(schema: AppSchema, texts: Iterable<string>): ReadonlySet<string> {
  const list = [...texts]
  const found = tablesOf(schema).filter(({ word }) => list.some((text) => word.test(text)))
  return new Set(found.map(({ key }) => key))
}

/**
 * A table that holds a resource's records, or their copies in a stage. In both cases `key` is the key of the resource.
 */
interface NamedTable {
  readonly key: string
  readonly table: string
  readonly word: RegExp
}

const known = new WeakMap<AppSchema["tables"], readonly NamedTable[]>()

function tablesOf({ tables }: AppSchema): readonly NamedTable[] {
  const found = known.get(tables) ?? tables.map(namedTable)
  known.set(tables, found)
  return found
}

function namedTable(resource: Resource): NamedTable {
  const { table } = resource
  const word = new RegExp(`\\b${table.replace(/[^\w]/g, "\\$&")}\\b`, "i")
  return { key: resourceKey(resource), table, word }
}
