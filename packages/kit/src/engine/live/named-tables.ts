import type { AppSchema, Resource } from "../../schema/compile/resource.ts"
import { quote } from "../../sql/text/fragment.ts"

/** Names a resource, whatever locale or stage it is read in. */
export function resourceKey({ kind, name }: Pick<Resource, "kind" | "name">): string {
  return `${kind} ${name}`
}

/** The keys of the resources that a statement of ours reads; rather one too many than one too few. */
export function tablesRead(schema: AppSchema, text: string): ReadonlySet<string> {
  const found = tablesNamed(schema, text).map(({ key }) => key)
  return new Set([...found, ...tablesReadByAuthor(schema, text)])
}

/** Of these, the keys of those that SQL of the author's reads within the statement. */
export function tablesReadByAuthor(schema: AppSchema, text: string): ReadonlySet<string> {
  const virtual = tablesNamed(schema, text).flatMap(({ virtualTexts }) => virtualTexts)
  return tablesMentioned(schema, virtual)
}

function tablesNamed(schema: AppSchema, text: string): readonly NamedTable[] {
  return tablesOf(schema).filter(({ quoted }) => text.includes(quoted))
}

/** As `tablesRead`, for SQL of the author's, who may quote a name or not. */
export function tablesMentioned(schema: AppSchema, texts: readonly string[]): ReadonlySet<string> {
  if (texts.length === 0) return NONE
  const found = tablesOf(schema).filter(({ word }) => texts.some((text) => word.test(text)))
  return new Set(found.map(({ key }) => key))
}

const NONE: ReadonlySet<string> = new Set()

/** A table of records, or of the copies of a stage; a change of either is told under the name of the resource. */
interface NamedTable {
  readonly key: string
  readonly quoted: string
  readonly word: RegExp
  /** What the author wrote into its virtual fields. */
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
