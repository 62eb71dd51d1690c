import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { toJsonText } from "../../schema/fields/json.ts"
import { BEFORE_IMAGE, oldRow, writeWithChanges, writtenColumns } from "../changes/changes.ts"
import { isAlways, type Predicate } from "../filter/predicate.ts"
import { whereSql } from "../filter/where.ts"
import { column, idList, Parameters, quote } from "../text/fragment.ts"
import { columnsForVerdicts, type RowRules, ruledStatement } from "./ruled-statement.ts"
import {
  activeCondition,
  assignment,
  assignments,
  counterAssignments,
  deleteWithChanges,
  type FieldValues,
  kindOfUpdate,
  storedValue,
  storedValues,
  updateWithChanges,
  verdictsOn,
} from "./write.ts"

/** Returns for each of these rows its id, and a boolean for each predicate, which is true if the row satisfies it. */
export function evaluateRows(resource: Resource, ids: readonly string[], predicates: readonly Predicate[]): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const id = column(alias, resource.id.name)
  const shown = [id, ...verdictsOn(predicates, alias, parameters)].join(", ")
  const where = `${id} = any(${idList(resource, parameters.add(ids))})`
  return { text: `select ${shown} from ${quote(resource.table)} ${alias} where ${where}`, values: parameters.values }
}

/** Locks the rows that satisfy the predicate, in the order of their ids, and at most `limit` rows. */
export function lockMatching(resource: Resource, predicate: Predicate, limit: number): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const id = column(alias, resource.id.name)
  const where = isAlways(predicate) ? "" : ` where ${whereSql(predicate, alias, parameters)}`
  const from = `${quote(resource.table)} ${alias}${where}`
  return {
    text: `select ${id} from ${from} order by ${id} limit ${parameters.add(limit)} for update of ${alias}`,
    values: parameters.values,
  }
}

/** Selects those of the ids whose rows satisfy the predicate, in the order of the ids. */
export function idsMatching(resource: Resource, ids: readonly string[], predicate: Predicate): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const id = column(alias, resource.id.name)
  const condition = isAlways(predicate) ? "" : ` and ${whereSql(predicate, alias, parameters)}`
  const where = `${id} = any(${idList(resource, parameters.add(ids))})${condition}`
  return {
    text: `select ${id} from ${quote(resource.table)} ${alias} where ${where} order by ${id}`,
    values: parameters.values,
  }
}

/** Returns a key that is equal for predicates with the same SQL and the same parameter values. */
export function predicateKey(predicate: Predicate): string {
  const known = predicateKeys.get(predicate)
  if (known !== undefined) return known
  const parameters = new Parameters()
  const text = whereSql(predicate, parameters.alias(), parameters)
  const key = text + JSON.stringify(parameters.values, (_name, value: unknown) => jsonOf(value))
  predicateKeys.set(predicate, key)
  return key
}

const predicateKeys = new WeakMap<Predicate, string>()

function jsonOf(value: unknown): unknown {
  return typeof value === "bigint" ? `${value}n` : value
}

interface SameUpdate {
  readonly ids: readonly string[]
  readonly values: FieldValues
}

/**
 * Sets the same field values in all of these rows. Evaluates the rules on each updated row, and returns the row's id and
 * the verdicts.
 */
export function updateRows(resource: Resource, update: SameUpdate, rules: RowRules): Statement {
  const text = (verdicts: readonly string[]) => sameUpdate(resource, update, { verdicts })
  return ruledStatement({ values: boundValues(update), text }, rules)
}

/** Like `updateRows`, but evaluates no rules, and leaves soft-deleted rows as they are. */
export function updateActiveRows(resource: Resource, ids: readonly string[], values: FieldValues): Statement {
  const text = sameUpdate(resource, { ids, values }, { condition: activeCondition(resource) })
  return { text, values: boundValues({ ids, values }), appendsChanges: true }
}

function boundValues({ ids, values }: SameUpdate): unknown[] {
  return [...storedValues(values), ids]
}

function sameUpdate(
  resource: Resource,
  { values }: SameUpdate,
  { condition = "", verdicts = [] }: { readonly condition?: string; readonly verdicts?: readonly string[] },
): string {
  const set = assignments(resource, [...values.keys()])
  const where = `${quote(resource.id.name)} = any(${idList(resource, `$${values.size + 1}`)})${condition}`
  const update = { set, where, kind: kindOfUpdate(resource, values), changed: values.keys(), verdicts }
  return updateWithChanges(resource, update, [])
}

/** The update of one row in a statement that updates many rows. */
interface RowChange {
  readonly id: string
  readonly values: FieldValues
}

/** Updates of several rows, each of which sets the same fields. */
export interface EachUpdate {
  readonly fields: readonly ResourceField[]
  readonly changes: readonly RowChange[]
}

/**
 * Sets the same fields in each of these rows, to values that differ from row to row. Evaluates the rules on each updated
 * row, and returns the row's id and the verdicts.
 */
export function updateEachRow(resource: Resource, { fields, changes }: EachUpdate, rules: RowRules): Statement {
  const table = quote(resource.table)
  const { text: given, set, json } = givenRows(resource, fields, changes)
  const where = `${column(table, resource.id.name)} = _given.id and _given.id = _old.id`
  const update = `update ${table} set ${[...set, ...counterAssignments(resource, table)].join(", ")} from ${given}, _old where ${where}`
  const precedingCte = oldRow(resource, `${quote(resource.id.name)} = any(${idList(resource, "$2")})`, fields)
  const text = (verdicts: readonly string[]) => {
    const columns = writtenColumns(resource, columnsForVerdicts(resource, verdicts))
    const written = `${update} returning ${columns}, ${BEFORE_IMAGE}`
    return writeWithChanges({ resource, kind: "update", rows: "changed", precedingCte, written, verdicts }, [])
  }
  return ruledStatement({ values: [json, changes.map(({ id }) => id)], text }, rules)
}

interface GivenRows {
  /** The SQL that reads the rows from the parameter `$1`, under the name `_given`. */
  readonly text: string
  /** The assignments that take their values from `_given`. */
  readonly set: readonly string[]
  /** The value of the parameter `$1`. */
  readonly json: string
}

/** Returns the values of these rows as one JSON parameter, and the SQL that reads it. */
export function givenRows(
  resource: Resource,
  fields: readonly ResourceField[],
  changes: readonly RowChange[],
): GivenRows {
  const members = changes.map(({ id, values }) => memberOf(id, fields, values))
  const columns = fields.map((field, index) => `v${index} ${isJson(field) ? "text" : field.type.sqlType}`)
  const table = quote(resource.table)
  return {
    text: `jsonb_to_recordset($1::jsonb) as _given(${[`id ${resource.id.type.sqlType}`, ...columns].join(", ")})`,
    set: fields.map((field, index) => assignment(table, field, `_given.v${index}${isJson(field) ? "::jsonb" : ""}`)),
    json: toJsonText(members),
  }
}

// True if the field's value is sent as JSON text. Otherwise a JSON null inside a record would become an SQL null.
function isJson({ type, localized }: ResourceField): boolean {
  return type.sqlType === "jsonb" || localized !== undefined
}

function memberOf(id: string, fields: readonly ResourceField[], values: FieldValues): Record<string, unknown> {
  const member: Record<string, unknown> = { id }
  for (const [index, field] of fields.entries()) member[`v${index}`] = storedValue(field, values.get(field) ?? null)
  return member
}

/** Deletes these rows permanently. */
export function deleteRows(resource: Resource, ids: readonly string[]): Statement {
  return {
    text: deleteWithChanges(resource, `${quote(resource.id.name)} = any(${idList(resource, "$1")})`, []),
    values: [ids],
    appendsChanges: true,
  }
}
