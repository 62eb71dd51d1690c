import type { AppSchema } from "../../schema/compile/resource.ts"
import { snapshotOf } from "../../sql/tables/schema-snapshot.ts"
import type { ColumnSnapshot, SchemaSnapshot, TableSnapshot } from "../../sql/tables/snapshot.ts"
import { isWidening } from "../../sql/text/column-types.ts"
import type { FoundColumn, FoundDatabase } from "../migrate/found-database.ts"

/** A change of a table that statements of the schema cannot work with. */
export interface Misfit {
  readonly table: string
  /** In words, for the log. */
  readonly change: string
}

interface Tables {
  readonly found: FoundDatabase
  /** What the last sync or migration left, if it was recorded. */
  readonly stored: SchemaSnapshot | undefined
}

/**
 * The changes by which a newer version of the app has made the tables unusable for this schema. What it has added is none of
 * them: another table, another index, a field that may be empty or has a default, a number type with more room.
 */
export function findMisfits(schema: AppSchema, { found, stored }: Tables): readonly Misfit[] {
  return snapshotOf(schema).tables.flatMap((table) => {
    const columns = found.tables.get(table.name)
    if (columns === undefined) return [{ table: table.name, change: `the table "${table.name}" is gone` }]
    const left = stored?.tables.find(({ name }) => name === table.name)
    const changes = [...changedColumns(table, columns, left), ...addedColumns(table, columns, left)]
    return changes.map((change) => ({ table: table.name, change }))
  })
}

type FoundColumns = ReadonlyMap<string, FoundColumn>

function changedColumns(table: TableSnapshot, found: FoundColumns, stored: TableSnapshot | undefined): string[] {
  return table.columns.flatMap((column) => {
    const title = `the column "${table.name}.${column.name}"`
    const now = found.get(column.name)
    if (now === undefined) return [`${title} is gone`]
    const left = stored?.columns.find(({ name }) => name === column.name)
    if (!isReadable(column.type, now.type)) return [`${title} is ${now.type} now and was ${column.type}`]
    if (isByLocale(column) !== isByLocale(left ?? column)) return [`${title} is stored in another way now`]
    return column.nullable && isNeeded(now, left) ? [`${title} must not be empty now`] : []
  })
}

// Statements compare a column with values of its own type, which text does not take.
function isReadable(own: string, now: string): boolean {
  return own === now || (now !== "text" && isWidening(own, now))
}

function isByLocale({ localized }: ColumnSnapshot): boolean {
  return localized !== undefined
}

/** The columns of options of a collection, which say something about every row; no field of an author has their names. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ["deletedAt", "keeps deleted records now, which this version would show"],
  ["stage", "has stages now, and this version would show drafts"],
  ["revision", "counts revisions now, and writes of this version would not be counted"],
])

function addedColumns(table: TableSnapshot, found: FoundColumns, stored: TableSnapshot | undefined): string[] {
  const known = new Set(table.columns.map(({ name }) => name))
  const added = (stored?.columns ?? []).filter(({ name }) => !known.has(name))
  return added.flatMap((column) => {
    const now = found.get(column.name)
    const meaning = MEANINGS.get(column.name)
    if (now === undefined) return []
    if (meaning !== undefined) return [`the table "${table.name}" ${meaning}`]
    const needsValue = !now.hasDefault && isNeeded(now, column)
    return needsValue ? [`the column "${table.name}.${column.name}" is new and needs a value`] : []
  })
}

// What the author has made by hand is filled by hand too, by a trigger for instance.
function isNeeded({ isRequired }: FoundColumn, left: ColumnSnapshot | undefined): boolean {
  return isRequired && left !== undefined && !left.nullable
}
