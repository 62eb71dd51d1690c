import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import {
  BEFORE_IMAGE,
  oldRow,
  type Returning,
  returnedImage,
  writeWithChanges,
  writtenColumns,
} from "../changes/changes.ts"
import { isAlways, type Predicate } from "../filter/predicate.ts"
import { whereSql } from "../filter/where.ts"
import { column, Parameters, quote } from "../text/fragment.ts"
import { changedLocaleMap, localizedJson, newLocaleMap } from "../text/localized-sql.ts"
import { StatementCache } from "../text/statement-cache.ts"
import type { ChangeKind } from "../versions/change-kind.ts"
import { isUnchanged, keepsLinks } from "../versions/write-versions.ts"
import { columnsForVerdicts, type RowRules, ruledStatement } from "./ruled-statement.ts"

/** The values that a write sets, by field. */
export type FieldValues = ReadonlyMap<ResourceField, unknown>

const statementCache = new StatementCache()

export function insertRow(resource: Resource, values: FieldValues, returning: Returning): Statement {
  const text = statementCache.get(cacheScope(resource, returning), `insert ${namesOf(values)}`, () =>
    insertion(resource, [...values.keys()], { returning }),
  )
  return { text, values: insertedValues(values), appendsChanges: true }
}

// Returns the object under which a statement is cached: the list of returned fields or the returned selection or, if
// nothing is requested, the resource. Callers to whom the same rules apply share one such list and selection.
function cacheScope(resource: Resource, returning: Returning): object {
  return "length" in returning && returning.length === 0 ? resource : returning
}

function namesOf(values: FieldValues): string {
  let names = ""
  for (const { name } of values.keys()) names += ` ${name}`
  return names
}

/** Like `insertRow`, but evaluates the rules on the new row. Returns its id and the verdicts. */
export function insertRuledRow(resource: Resource, values: FieldValues, rules: RowRules): Statement {
  if (rules.length === 0) return insertRow(resource, values, [])
  const cacheKey = [resource, `insert ${namesOf(values)}`] as const
  const text = (verdicts: readonly string[]) => insertion(resource, [...values.keys()], { verdicts })
  return ruledStatement({ values: insertedValues(values), cacheKey, text }, rules)
}

/** The result of a statement for each row that it writes: the requested values, or the id and the verdicts. */
interface Returned {
  readonly returning?: Returning
  readonly verdicts?: readonly string[]
}

function insertion(
  resource: Resource,
  fields: readonly ResourceField[],
  { returning = [], verdicts = [] }: Returned,
): string {
  const columns = fields.map((field) => quote(field.name)).join(", ")
  const bound = fields.map((_field, index) => `$${index + 1}`).join(", ")
  const into = `insert into ${quote(resource.table)} (${columns}) values (${bound})`
  const needed = verdicts.length === 0 ? returning : columnsForVerdicts(resource, verdicts)
  const written = `${into} returning ${writtenColumns(resource, needed)}`
  return writeWithChanges({ resource, kind: "create", rows: "created", written, verdicts }, returning)
}

interface RowUpdate {
  readonly id: string
  readonly values: FieldValues
}

/**
 * Updates an active row. Leaves the row as it is if it is soft-deleted, or if another transaction has changed it in the
 * meantime (see `isUnchanged`).
 */
export function updateRow(resource: Resource, { id, values }: RowUpdate, returning: Returning): Statement {
  const text = statementCache.get(cacheScope(resource, returning), `update ${namesOf(values)}`, () =>
    updateWithChanges(resource, activeUpdate(resource, values), returning),
  )
  return { text, values: [...storedValues(values), id], appendsChanges: true }
}

/** Like `updateRow`, but evaluates the rules on the updated row. Returns its id and the verdicts. */
export function updateRuledRow(resource: Resource, { id, values }: RowUpdate, rules: RowRules): Statement {
  if (rules.length === 0) return updateRow(resource, { id, values }, [])
  const cacheKey = [resource, `update ${namesOf(values)}`] as const
  const text = (verdicts: readonly string[]) =>
    updateWithChanges(resource, { ...activeUpdate(resource, values), verdicts }, [])
  return ruledStatement({ values: [...storedValues(values), id], cacheKey, text }, rules)
}

function activeUpdate(resource: Resource, values: FieldValues): UpdateWithChanges {
  const where = activeUnchangedRow(resource, values)
  return { ...updateOf(resource, values), where, kind: kindOfUpdate(resource, values) }
}

/**
 * Like `updateRow`, but accesses the row only once, on servers that can return a row's old values (Postgres 18 and
 * later).
 */
export function updateRowReturningOld(resource: Resource, { id, values }: RowUpdate, returning: Returning): Statement {
  const text = statementCache.get(cacheScope(resource, returning), `update returning old ${namesOf(values)}`, () => {
    const { set, changed } = updateOf(resource, values)
    const update = `update ${quote(resource.table)} set ${set.join(", ")} where ${activeUnchangedRow(resource, values)}`
    const columns = `${writtenColumns(resource, returning)}, ${returnedImage(resource, changed)}`
    const written = `${update} returning with (old as _old) ${columns}`
    return writeWithChanges({ resource, kind: kindOfUpdate(resource, values), rows: "changed", written }, returning)
  })
  return { text, values: [...storedValues(values), id], appendsChanges: true }
}

function activeUnchangedRow(resource: Resource, values: FieldValues): string {
  const unchanged = keepsLinks(resource) ? ` and ${isUnchanged(resource, `$${values.size + 1}`)}` : ""
  return `${idIs(resource, values)}${activeCondition(resource)}${unchanged}`
}

/** Returns the SQL that restricts a condition to active rows, to be put after it. */
export function activeCondition({ deletedAt }: Resource): string {
  return deletedAt ? ` and ${quote(deletedAt.name)} is null` : ""
}

/** Updates a row, which may be active or soft-deleted. */
export function updateAnyRow(resource: Resource, { id, values }: RowUpdate): Statement {
  const update = { ...updateOf(resource, values), where: idIs(resource, values), kind: "update" } as const
  return {
    text: updateWithChanges(resource, update, []),
    values: [...storedValues(values), id],
    appendsChanges: true,
  }
}

/**
 * Restores a soft-deleted row and sets these field values. Evaluates the rules on the restored row, and returns its id
 * and the verdicts.
 */
export function restoreRow(resource: Resource, { id, values }: RowUpdate, rules: RowRules): Statement {
  const update = { ...updateOf(resource, values), where: idIs(resource, values), kind: "restore" } as const
  if (resource.deletedAt) update.set.push(`${quote(resource.deletedAt.name)} = null`)
  const text = (verdicts: readonly string[]) => updateWithChanges(resource, { ...update, verdicts }, [])
  return ruledStatement({ values: [...storedValues(values), id], text }, rules)
}

function updateOf(resource: Resource, values: FieldValues): { set: string[]; changed: Iterable<ResourceField> } {
  return { set: assignments(resource, [...values.keys()]), changed: values.keys() }
}

// Returns the SQL condition that a row has a certain id. The id is bound as the first parameter after the values.
function idIs(resource: Resource, values: FieldValues): string {
  return `${quote(resource.id.name)} = $${values.size + 1}`
}

/** Returns the kind of an update, which can also be a soft delete. */
export function kindOfUpdate({ deletedAt }: Resource, values: FieldValues): ChangeKind {
  return deletedAt && values.has(deletedAt) ? "delete" : "update"
}

interface UpdateWithChanges {
  readonly set: readonly string[]
  readonly where: string
  readonly kind: ChangeKind
  /** The fields whose values the update may change. */
  readonly changed: Iterable<ResourceField>
  /** Another common table expression, which `set` refers to. */
  readonly extraCte?: string
  /** The SQL of the time of the write, if the update does not set the row's update time. */
  readonly at?: string
  readonly verdicts?: readonly string[]
}

/** Returns the SQL that updates the rows that satisfy `where` and appends a change for each of them. */
export function updateWithChanges(
  resource: Resource,
  { set, where, kind, changed, extraCte, at, verdicts = [] }: UpdateWithChanges,
  returning: Returning,
): string {
  const table = quote(resource.table)
  const update = `update ${table} set ${set.join(", ")} from _old where ${column(table, resource.id.name)} = _old.id`
  const needed = verdicts.length === 0 ? returning : columnsForVerdicts(resource, verdicts)
  const written = `${update} returning ${writtenColumns(resource, needed)}, ${BEFORE_IMAGE}`
  const old = oldRow(resource, where, changed)
  const precedingCte = extraCte === undefined ? old : `${extraCte}, ${old}`
  return writeWithChanges(
    { resource, kind, rows: "changed", precedingCte, written, verdicts, ...(at && { at }) },
    returning,
  )
}

/** Deletes a row permanently. */
export function deleteRow(resource: Resource, id: string, returning: readonly ResourceField[]): Statement {
  return {
    text: deleteWithChanges(resource, `${quote(resource.id.name)} = $1`, returning),
    values: [id],
    appendsChanges: true,
  }
}

/** Returns the SQL that deletes the rows that satisfy `where` and appends a change for each of them. */
export function deleteWithChanges(resource: Resource, where: string, returning: readonly ResourceField[]): string {
  const removal = `delete from ${quote(resource.table)} where ${where}`
  const written = `${removal} returning ${writtenColumns(resource, returning)}`
  const kind = resource.deletedAt ? "purge" : "delete"
  return writeWithChanges({ resource, kind, rows: "removed", written }, returning)
}

/**
 * Locks the row and returns a boolean for each predicate, which is true if the row satisfies the predicate. The row is
 * locked before the predicates are evaluated, so that a concurrent write sees this transaction's effect or waits for
 * it.
 */
export function lockRow(resource: Resource, id: string, predicates: readonly Predicate[]): Statement {
  return evaluateAndLockRow({ resource, id }, predicates, "update")
}

/**
 * Like `lockRow`, for a write that does not delete the row. While the row is locked, foreign keys to it can still be
 * inserted.
 */
export function lockRowNoKeyUpdate(resource: Resource, id: string, predicates: readonly Predicate[]): Statement {
  return evaluateAndLockRow({ resource, id }, predicates, "no key update")
}

/** Like `lockRow`, but without locking the row. */
export function evaluateRow(resource: Resource, id: string, predicates: readonly Predicate[]): Statement {
  return evaluateAndLockRow({ resource, id }, predicates)
}

function evaluateAndLockRow(
  { resource, id }: { readonly resource: Resource; readonly id: string },
  predicates: readonly Predicate[],
  strength?: "update" | "no key update",
): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const verdicts = verdictsOn(predicates, alias, parameters)
  const where = `${alias}.${quote(resource.id.name)} = ${parameters.add(id)}`
  const lock = strength ? ` for ${strength} of ${alias}` : ""
  return {
    text: `select ${verdicts.join(", ")} from ${quote(resource.table)} ${alias} where ${where}${lock}`,
    values: parameters.values,
  }
}

/** Returns an SQL expression for each predicate, which is true or false for a row of the table with this alias. */
export function verdictsOn(predicates: readonly Predicate[], alias: string, parameters: Parameters): string[] {
  return predicates.map((predicate) =>
    isAlways(predicate) ? "true" : `(${whereSql(predicate, alias, parameters)}) is true`,
  )
}

/**
 * Returns the assignments of an update. Those of the fields take their values from the parameters `$1`, `$2` and so on,
 * in the order of the fields. Those of the counters follow.
 */
export function assignments(resource: Resource, fields: readonly ResourceField[]): string[] {
  const table = quote(resource.table)
  const given = fields.map((field, index) => assignment(table, field, `$${index + 1}`))
  return [...given, ...counterAssignments(resource, table)]
}

/**
 * Returns the SQL that assigns the SQL expression `value` to a field. In a localized field, only the written locale
 * changes.
 */
export function assignment(table: string, field: ResourceField, value: string): string {
  const set = field.localized ? changedLocaleMap(column(table, field.name), field, value) : value
  return `${quote(field.name)} = ${set}`
}

/**
 * Returns the assignments that every update of a row adds: those that increment the row's revision and version
 * counters.
 */
export function counterAssignments({ revision, versions }: Resource, alias: string): string[] {
  const counted = revision ? [`${quote(revision.name)} = ${column(alias, revision.name)} + 1`] : []
  if (versions === undefined) return counted
  const { name } = versions.number
  return [...counted, `${quote(name)} = coalesce(${column(alias, name)}, 0) + 1`]
}

/** Returns the values in the form in which they are bound as parameters, in the order of their fields. */
export function storedValues(values: FieldValues): unknown[] {
  const stored: unknown[] = []
  for (const [field, value] of values) stored.push(storedValue(field, value))
  return stored
}

/**
 * Returns a value in the form in which it is bound as a parameter. For a localized field, that is the JSON text of the
 * value in the written locale.
 */
export function storedValue(field: ResourceField, value: unknown): unknown {
  if (value === null) return null
  if (field.localized) return localizedJson(field, value)
  return field.type.toSql ? field.type.toSql(value) : value
}

function insertedValues(values: FieldValues): unknown[] {
  const stored: unknown[] = []
  for (const [field, value] of values)
    stored.push(field.localized && value !== null ? newLocaleMap(field, value) : storedValue(field, value))
  return stored
}
