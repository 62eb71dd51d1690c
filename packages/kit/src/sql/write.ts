import type { Statement } from "../ports/database.ts"
import type { Resource, ResourceField } from "../schema/resource.ts"
import { BEFORE_IMAGE, type ChangeKind, notedWrite, oldRow, writtenColumns } from "./changes.ts"
import { column, Parameters, quote } from "./fragment.ts"
import { isAlways, type Predicate } from "./predicate.ts"
import { whereSql } from "./where.ts"

/** The values of a write, by field. */
export type FieldValues = ReadonlyMap<ResourceField, unknown>

export function insertRow(resource: Resource, values: FieldValues, returning: readonly ResourceField[]): Statement {
  const parameters = new Parameters()
  const columns = [...values.keys()].map((field) => quote(field.name)).join(", ")
  const bound = bindAll(values, parameters).join(", ")
  const into = `insert into ${quote(resource.table)} (${columns}) values (${bound})`
  const written = `${into} returning ${writtenColumns(resource, returning)}`
  return {
    text: notedWrite({ resource, kind: "create", rows: "created", written }, returning),
    values: parameters.values,
  }
}

interface RowUpdate {
  readonly id: string
  readonly values: FieldValues
}

/** Changes an active row; one that is deleted and kept is left alone. */
export function updateRow(
  resource: Resource,
  { id, values }: RowUpdate,
  returning: readonly ResourceField[],
): Statement {
  const parameters = new Parameters()
  const set = assignments(resource, values, parameters)
  const active = resource.deletedAt ? ` and ${quote(resource.deletedAt.name)} is null` : ""
  const where = `${quote(resource.id.name)} = ${parameters.add(id)}${active}`
  const kind = kindOfUpdate(resource, values)
  return { text: notedUpdate(resource, { set, where, kind }, returning), values: parameters.values }
}

/** Changes a row, whether it is active or deleted and kept. */
export function updateKeptRow(resource: Resource, { id, values }: RowUpdate): Statement {
  const parameters = new Parameters()
  const set = assignments(resource, values, parameters)
  const where = `${quote(resource.id.name)} = ${parameters.add(id)}`
  return { text: notedUpdate(resource, { set, where, kind: "update" }, []), values: parameters.values }
}

/** Makes a deleted row active again, with the values that change. */
export function restoreRow(resource: Resource, { id, values }: RowUpdate): Statement {
  const parameters = new Parameters()
  const set = assignments(resource, values, parameters)
  if (resource.deletedAt) set.push(`${quote(resource.deletedAt.name)} = null`)
  const where = `${quote(resource.id.name)} = ${parameters.add(id)}`
  return { text: notedUpdate(resource, { set, where, kind: "restore" }, []), values: parameters.values }
}

/** To delete a row that is kept is to change it. */
export function kindOfUpdate({ deletedAt }: Resource, values: FieldValues): ChangeKind {
  return deletedAt && values.has(deletedAt) ? "delete" : "update"
}

/** The update of the rows that satisfy `where`, noted as changes. */
export function notedUpdate(
  resource: Resource,
  { set, where, kind }: { set: readonly string[]; where: string; kind: ChangeKind },
  returning: readonly ResourceField[],
): string {
  const table = quote(resource.table)
  const update = `update ${table} set ${set.join(", ")} from old where ${column(table, resource.id.name)} = old.id`
  const written = `${update} returning ${writtenColumns(resource, returning)}, ${BEFORE_IMAGE}`
  return notedWrite({ resource, kind, rows: "changed", first: oldRow(resource, where), written }, returning)
}

/** Removes a row for good. */
export function deleteRow(resource: Resource, id: string, returning: readonly ResourceField[]): Statement {
  return { text: notedDelete(resource, `${quote(resource.id.name)} = $1`, returning), values: [id] }
}

/** The removal of the rows that satisfy `where`, noted as changes. */
export function notedDelete(resource: Resource, where: string, returning: readonly ResourceField[]): string {
  const removal = `delete from ${quote(resource.table)} where ${where}`
  const written = `${removal} returning ${writtenColumns(resource, returning)}`
  const kind = resource.deletedAt ? "purge" : "delete"
  return notedWrite({ resource, kind, rows: "removed", written }, returning)
}

/**
 * Locks the row and answers one boolean for each predicate: whether the row satisfies it.
 * Locked before it is judged: a concurrent write must see our effect or wait for it.
 */
export function lockRow(resource: Resource, id: string, predicates: readonly Predicate[]): Statement {
  const parameters = new Parameters()
  const alias = parameters.alias()
  const verdicts = predicates.map((predicate) =>
    isAlways(predicate) ? "true" : `(${whereSql(predicate, alias, parameters)}) is true`,
  )
  const where = `${alias}.${quote(resource.id.name)} = ${parameters.add(id)}`
  return {
    text: `select ${verdicts.join(", ")} from ${quote(resource.table)} ${alias} where ${where} for update of ${alias}`,
    values: parameters.values,
  }
}

/** What a change sets: what it says, and what the server keeps. */
export function assignments(resource: Resource, values: FieldValues, parameters: Parameters): string[] {
  const bound = bindAll(values, parameters)
  const given = [...values.keys()].map((field, index) => `${quote(field.name)} = ${bound[index]}`)
  return [...given, ...serverChanges(resource, quote(resource.table))]
}

/** What every change of a row changes besides what it says. */
export function serverChanges({ revision }: Resource, alias: string): string[] {
  return revision ? [`${quote(revision.name)} = ${column(alias, revision.name)} + 1`] : []
}

function bindAll(values: FieldValues, parameters: Parameters): string[] {
  return [...values].map(([field, value]) =>
    parameters.add(value !== null && field.type.toSql ? field.type.toSql(value) : value),
  )
}
