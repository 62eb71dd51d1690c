import type { AppSchema } from "../../schema/compile/resource.ts"
import { snapshotOf } from "../../sql/tables/schema-snapshot.ts"
import type { ColumnSnapshot, SchemaSnapshot, TableSnapshot } from "../../sql/tables/snapshot.ts"
import { isWidening } from "../../sql/text/column-types.ts"
import type { CatalogColumn, DatabaseCatalog } from "../migrate/database-catalog.ts"

/** A change to a database table after which this process's SQL statements no longer work. */
export interface IncompatibleChange {
  readonly table: string
  /** A description of the change, for the log. */
  readonly description: string
}

interface ExistingTables {
  readonly found: DatabaseCatalog
  /** The schema snapshot that the last sync or migration stored in the database, if any. */
  readonly stored: SchemaSnapshot | undefined
}

/**
 * Returns the changes by which a newer version of the app has made the tables unusable for this schema. Additions are
 * compatible: a new table or index, a new column that is nullable or has a default, a wider number type.
 */
export function findIncompatibleChanges(
  schema: AppSchema,
  { found, stored }: ExistingTables,
): readonly IncompatibleChange[] {
  return snapshotOf(schema).tables.flatMap((table) => {
    const columns = found.tables.get(table.name)
    if (columns === undefined) return [{ table: table.name, description: `the table "${table.name}" is gone` }]
    const left = stored?.tables.find(({ name }) => name === table.name)
    const descriptions = [...changedColumns(table, columns, left), ...addedColumns(table, columns, left)]
    return descriptions.map((description) => ({ table: table.name, description }))
  })
}

type CatalogColumns = ReadonlyMap<string, CatalogColumn>

function changedColumns(table: TableSnapshot, found: CatalogColumns, stored: TableSnapshot | undefined): string[] {
  return table.columns.flatMap((column) => {
    const title = `the column "${table.name}.${column.name}"`
    const now = found.get(column.name)
    if (now === undefined) return [`${title} is gone`]
    const left = stored?.columns.find(({ name }) => name === column.name)
    if (!isReadable(column.type, now.type)) return [`${title} is ${now.type} now and was ${column.type}`]
    if (isLocalized(column) !== isLocalized(left ?? column)) return [`${title} is stored in another way now`]
    return column.nullable && isNotNullByApp(now, left) ? [`${title} must not be empty now`] : []
  })
}

// True if a column whose type has changed from `own` to `now` can still be compared with values of the type `own`. A
// column that has become a text column cannot.
function isReadable(own: string, now: string): boolean {
  return own === now || (now !== "text" && isWidening(own, now))
}

function isLocalized({ localized }: ColumnSnapshot): boolean {
  return localized !== undefined
}

/**
 * The columns that a collection option adds, each with the problem that the option causes for a version of the app that
 * does not use it. Such a column changes the meaning of every row. Fields that an author declares cannot have these
 * names.
 */
const OPTION_COLUMNS: ReadonlyMap<string, string> = new Map([
  ["deletedAt", "keeps deleted records now, which this version would show"],
  ["stage", "has stages now, and this version would show drafts"],
  ["revision", "counts revisions now, and writes of this version would not be counted"],
])

function addedColumns(table: TableSnapshot, found: CatalogColumns, stored: TableSnapshot | undefined): string[] {
  const known = new Set(table.columns.map(({ name }) => name))
  const added = (stored?.columns ?? []).filter(({ name }) => !known.has(name))
  return added.flatMap((column) => {
    const now = found.get(column.name)
    const meaning = OPTION_COLUMNS.get(column.name)
    if (now === undefined) return []
    if (meaning !== undefined) return [`the table "${table.name}" ${meaning}`]
    const needsValue = !now.hasDefault && isNotNullByApp(now, column)
    return needsValue ? [`the column "${table.name}.${column.name}" is new and needs a value`] : []
  })
}

// True if the app itself requires a value in this column. A column that is not in the stored snapshot was added by
// hand. Something other than the app has to fill such a column, for instance a trigger.
function isNotNullByApp({ isRequired }: CatalogColumn, left: ColumnSnapshot | undefined): boolean {
  return isRequired && left !== undefined && !left.nullable
}
