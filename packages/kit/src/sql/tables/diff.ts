import type { RenamedField } from "../../schema/compile/resource.ts"
import { deletePendingTransitionsOf, renamePendingTransitionTable } from "../stages/pending-transitions.ts"
import { isWidening } from "../text/column-types.ts"
import { droppedDocuments, followedDeletes } from "./document-steps.ts"
import { changedOptions } from "./option-steps.ts"
import { createdReferences, droppedReferences, hasOtherReferences } from "./reference-steps.ts"
import { addedColumns, requiredColumn } from "./required-steps.ts"
import type { ChangeHints, ColumnHint } from "./schema-snapshot.ts"
import { isSearchColumn } from "./search-ddl.ts"
import { createdSearch, droppedSearch, droppedSearchColumn, hasOtherSearch } from "./search-steps.ts"
import type { ColumnSnapshot, ForeignKeySnapshot, IndexSnapshot, SchemaSnapshot, TableSnapshot } from "./snapshot.ts"
import {
  addedKey,
  changedType,
  createdIndex,
  createdTable,
  droppedColumn,
  droppedIndex,
  droppedKey,
  droppedTable,
  type KeptColumn,
  optionalColumn,
  renamedColumn,
  renamedTable,
  reorderedKey,
  type Step,
} from "./step.ts"
import {
  deleteHistory,
  dropInHistory,
  hasHistory,
  localizeInHistory,
  renameHistory,
  renameInHistory,
  replaceInHistory,
  retypeInHistory,
  VERSION_COLUMN,
  withHistory,
} from "./version-steps.ts"

export interface SchemaDiff {
  /** The steps, in an order in which they can be executed. */
  readonly steps: readonly Step[]
  /** The changes that no step can make, each as a sentence that says what the author can do instead. */
  readonly refusals: readonly string[]
}

const NO_HINTS: ChangeHints = Object.freeze({
  tables: new Map(),
  columns: new Map(),
  links: new Map(),
  duplicates: new Map(),
})

/**
 * Returns the steps that lead from one schema snapshot to another. Without a hint, a rename is treated as dropping the
 * old table or column and adding a new one.
 */
export function diffSnapshots(from: SchemaSnapshot, to: SchemaSnapshot, hints: ChangeHints = NO_HINTS): SchemaDiff {
  const kept = pairTables(from, to, hints)
  const known = new Set(kept.map(({ before }) => before.name))
  const gone = from.tables.filter(({ name }) => !known.has(name))
  const stored = new Map(kept.map(({ before, after }) => [after.name, before]))
  const created = to.tables.filter(({ name }) => !stored.has(name))
  const columns = kept.flatMap(changedColumns)
  const steps = [
    // The triggers are dropped first: PostgreSQL changes no column of which a trigger depends, and a trigger does not
    // know the new names of columns.
    ...kept.filter(hasOtherSearch).flatMap(({ before }) => droppedSearch(before)),
    ...gone.flatMap(droppedSearch),
    ...kept.filter(hasOtherReferences).flatMap(({ before }) => droppedReferences(before)),
    ...gone.flatMap(droppedReferences),
    ...kept.flatMap(renames),
    ...kept.flatMap(droppedConstraints),
    // Dropped tables may have foreign keys to each other, so their foreign keys are dropped first.
    ...gone.flatMap(({ name, foreignKeys }) => foreignKeys.map((key) => droppedKey(name, key.name))),
    ...created.map(createdTable),
    ...columns.filter((change) => typeof change !== "string"),
    ...gone.map((before) => droppedWithDependents(before, droppedTable(before.name))),
    ...[...kept.filter(hasOtherSearch).map(({ after }) => after), ...created].flatMap(createdSearch),
    ...to.tables.flatMap((after) => followedDeletes(stored.get(after.name), after)),
    ...[...kept.filter(hasOtherReferences).map(({ after }) => after), ...created].flatMap(createdReferences),
    ...to.tables.flatMap((after) =>
      addedIndexes(stored.get(after.name), after).map((index) =>
        createdIndex(after.name, index, hints.duplicates.get(index.name)),
      ),
    ),
    ...to.tables.flatMap((after) => addedKeys(stored.get(after.name), after)),
    ...kept.flatMap((table) => retypedKeys(table).map((key) => addedKey(table.after.name, key))),
  ]
  return { steps, refusals: columns.filter((change) => typeof change === "string") }
}

export function isSameSchema(left: SchemaSnapshot, right: SchemaSnapshot): boolean {
  const { steps, refusals } = diffSnapshots(left, right)
  return steps.length === 0 && refusals.length === 0
}

/** A table that exists both before and after the change. */
interface KeptTable {
  readonly before: TableSnapshot
  readonly after: TableSnapshot
  readonly columns: readonly KeptColumn[]
  readonly hints: ReadonlyMap<string, ColumnHint>
  /** True if the options of select fields are known in both snapshots. */
  readonly knowsOptions: boolean
  /**
   * The old and the new name of the relation field that uses this link table, if the field was renamed. Stored versions
   * contain the field under its name. Undefined for all other tables.
   */
  readonly link: RenamedField | undefined
}

function pairTables(from: SchemaSnapshot, to: SchemaSnapshot, hints: ChangeHints): KeptTable[] {
  const tables = byName(from.tables)
  return to.tables.flatMap((after) => {
    const names = [after.name, ...(hints.tables.get(after.name) ?? [])]
    const before = names.flatMap((name) => tables.get(name) ?? [])[0]
    if (before === undefined) return []
    const ofColumns = hints.columns.get(after.name) ?? new Map<string, ColumnHint>()
    const columns = pairColumns(before, after, ofColumns)
    const knowsOptions = from.hasOptions === true && to.hasOptions === true
    return [{ before, after, columns, hints: ofColumns, knowsOptions, link: hints.links.get(after.name) }]
  })
}

function pairColumns(
  before: TableSnapshot,
  after: TableSnapshot,
  hints: ReadonlyMap<string, ColumnHint>,
): KeptColumn[] {
  const columns = byName(before.columns)
  return after.columns.flatMap((column) => {
    const stored = columns.get(column.name) ?? columns.get(hints.get(column.name)?.renamedFrom ?? "")
    return stored === undefined ? [] : [{ before: stored, after: column }]
  })
}

function renames(table: KeptTable): Step[] {
  const { before, after, columns, link } = table
  const [from, to] = [before.name, after.name]
  const moved = renamedWithDependents(table)
  const renamed =
    from === to ? [] : [link ? withHistory(moved, renameInHistory(link.table, link.from, link.to)) : moved]
  const changed = columns.filter(isRenamed)
  const ofColumns = changed.map(({ before: { name: was }, after: { name } }) =>
    withHistoryIfKept(table, renamedColumn(to, was, name), () => renameInHistory(to, was, name)),
  )
  return [...renamed, ...ofColumns, ...reordered(table)]
}

function isRenamed({ before, after }: KeptColumn): boolean {
  return before.name !== after.name
}

// Returns the step that restores the column order of a link table's primary key after a rename. The columns of the key
// are in alphabetical order, and a separate index covers the second column.
function reordered({ after, columns }: KeptTable): Step[] {
  const [first, second] = columns.filter((column) => column.after.primaryKey)
  const isSwapped = columns.some(isRenamed) && first && second && first.before.name > second.before.name
  return isSwapped ? [reorderedKey(after.name, [first.after.name, second.after.name])] : []
}

// Returns the step that renames a table. Versions and pending transitions refer to their records by table name, so the
// step renames the table there too.
function renamedWithDependents({ before, after }: KeptTable): Step {
  const [from, to] = [before.name, after.name]
  const step = withHistoryIfKept({ before }, renamedTable({ from, to }), () => renameHistory(from, to))
  return hasStages(before) ? withHistory(step, ...renamePendingTransitionTable(from, to)) : step
}

function droppedWithDependents(before: TableSnapshot, dropped: Step): Step {
  const forgetting = withHistory(dropped, ...droppedDocuments(before))
  const step = withHistoryIfKept({ before }, forgetting, () => deleteHistory(before.name))
  return hasStages(before) ? withHistory(step, deletePendingTransitionsOf(before.name)) : step
}

// True if the table's records have stages: the table has the column `stage`, a name that authors cannot use for a
// field, and is not a table of stage copies, whose name contains a dot.
function hasStages({ name: table, columns }: TableSnapshot): boolean {
  return !table.includes(".") && columns.some(({ name }) => name === "stage")
}

// Returns the step unchanged or, if the table keeps versions, with the SQL that applies the same change to stored
// versions.
function withHistoryIfKept({ before }: Pick<KeptTable, "before">, step: Step, sql: () => string): Step {
  return hasHistory(before) ? withHistory(step, sql()) : step
}

// Returns the steps that drop the indexes and foreign keys that are no longer declared, or that are declared
// differently under the same name.
function droppedConstraints(table: KeptTable): Step[] {
  const { before, after } = table
  return [
    ...missingFrom(after.indexes, before.indexes).map((index) => droppedIndex(after.name, index)),
    ...missingFrom(after.foreignKeys, before.foreignKeys).map(({ name }) => droppedKey(after.name, name)),
    ...retypedKeys(table).map(({ name }) => droppedKey(after.name, name)),
  ]
}

// Returns the foreign keys whose column changes its type. A column and the id that it points to must always have the
// same type, so the foreign key is dropped while both types change.
function retypedKeys({ before, after, columns }: KeptTable): ForeignKeySnapshot[] {
  const retyped = new Set(columns.filter(isRetyped).map((column) => column.after.name))
  const kept = after.foreignKeys.filter((key) => missingFrom(before.foreignKeys, [key]).length === 0)
  return kept.filter(({ column }) => retyped.has(column))
}

function isRetyped({ before, after }: KeptColumn): boolean {
  return before.type !== after.type && isWidening(before.type, after.type)
}

function addedIndexes(before: TableSnapshot | undefined, after: TableSnapshot): IndexSnapshot[] {
  return missingFrom(before?.indexes ?? [], after.indexes)
}

function addedKeys(before: TableSnapshot | undefined, after: TableSnapshot): Step[] {
  return missingFrom(before?.foreignKeys ?? [], after.foreignKeys).map((key) => addedKey(after.name, key))
}

function changedColumns(table: KeptTable): (Step | string)[] {
  const { before, after, columns, hints } = table
  const ofStored = new Map(columns.map((column) => [column.before.name, column]))
  const arrived = new Set(columns.map((column) => column.after.name))
  const names = { from: before.name, to: after.name }
  return [
    ...before.columns.flatMap((stored) => {
      const column = ofStored.get(stored.name)
      return column ? changedColumn(table, column) : [droppedWithHistory(table, stored)]
    }),
    ...after.columns
      .filter(({ name }) => !arrived.has(name))
      .flatMap((column) => addedColumns(names, column, hints.get(column.name))),
  ]
}

// Returns the step that drops a column, and the field of that name in stored versions. If the column is the version
// counter, all versions are deleted, because their numbers would start again at 1.
function droppedWithHistory(table: KeptTable, stored: ColumnSnapshot): Step {
  const { name: from } = table.before
  const { name: to } = table.after
  if (isSearchColumn(stored.name)) return droppedSearchColumn(to, stored.name)
  const step = droppedColumn({ from, to }, stored)
  if (stored.name !== VERSION_COLUMN) return withHistoryIfKept(table, step, () => dropInHistory(to, stored.name))
  return withHistory(
    { ...step, title: `drop column "${to}.${stored.name}" with all versions of its records` },
    deleteHistory(to),
  )
}

function changedColumn(table: KeptTable, column: KeptColumn) {
  const { before, after } = column
  const { hints } = table
  const [from, to] = [table.before.name, table.after.name]
  const changes: (Step | string)[] = []
  if (isStoredDifferently(before, after)) changes.push(retyped(table, column))
  if (table.knowsOptions) changes.push(...withOtherOptions(table, column))
  if (before.nullable && !after.nullable) changes.push(requiredColumn({ from, to }, column, hints.get(after.name)))
  if (!before.nullable && after.nullable) changes.push(optionalColumn(to, after.name))
  return changes
}

// Returns the step for changed options of a select field, if any. If it replaces values, it replaces them in stored
// versions too; other values stay in versions as they are.
function withOtherOptions(table: KeptTable, column: KeptColumn): Step[] {
  const { after } = column
  const { name } = table.after
  const { replacedOptions: replaced } = table.hints.get(after.name) ?? {}
  const step = changedOptions({ from: table.before.name, to: name }, column, replaced)
  if (step === undefined) return []
  if (step.kind !== "replace options" || replaced === undefined) return [step]
  return [withHistoryIfKept(table, step, () => replaceInHistory(name, after, replaced))]
}

// Returns the step that changes a column's type, or the reason why the type cannot be changed. If the column becomes
// localized or a numeric type with a fixed number of digits, the values in stored versions are converted too. The step
// fails if a number has too many digits for the new type.
function retyped(table: KeptTable, { before, after }: KeptColumn): Step | string {
  const { name } = table.after
  const { localized, type } = after
  const step = changedType(name, before, after)
  if (typeof step === "string") return step
  if (localized) return withHistoryIfKept(table, step, () => localizeInHistory(name, after.name, localized))
  return type.startsWith("numeric(")
    ? withHistoryIfKept(table, step, () => retypeInHistory(name, after.name, type))
    : step
}

function isStoredDifferently(before: ColumnSnapshot, after: ColumnSnapshot): boolean {
  return before.type !== after.type || before.localized?.type !== after.localized?.type
}

interface Constraint {
  readonly name: string
  readonly sql: string
}

function missingFrom<Item extends Constraint>(known: readonly Constraint[], items: readonly Item[]): Item[] {
  return items.filter(({ name, sql }) => !known.some((other) => other.name === name && other.sql === sql))
}

function byName<Item extends { readonly name: string }>(items: readonly Item[]): Map<string, Item> {
  return new Map(items.map((item) => [item.name, item]))
}
