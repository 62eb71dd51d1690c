import type { Statement } from "../ports/database.ts"
import type { Resource, ResourceField } from "../schema/resource.ts"
import { Parameters, quote } from "./fragment.ts"
import { isAlways, type Predicate } from "./predicate.ts"
import { whereSql } from "./where.ts"

/** The values of a write, by field. */
export type FieldValues = ReadonlyMap<ResourceField, unknown>

export function insertRow(resource: Resource, values: FieldValues, returning: readonly ResourceField[]): Statement {
  const parameters = new Parameters()
  const columns = [...values.keys()].map((field) => quote(field.name))
  const bound = bindAll(values, parameters)
  return {
    text: `insert into ${quote(resource.table)} (${columns.join(", ")}) values (${bound.join(", ")})${returningList(returning)}`,
    values: parameters.values,
  }
}

/** As `insertRow`, but leaves a row that is already there alone and then returns nothing. */
export function insertRowIfAbsent(
  resource: Resource,
  values: FieldValues,
  returning: readonly ResourceField[],
): Statement {
  const insert = insertRow(resource, values, [])
  const id = quote(resource.id.name)
  return { text: `${insert.text} on conflict (${id}) do nothing${returningList(returning)}`, values: insert.values }
}

/** Changes an active row; one that is deleted and kept is left alone. */
export function updateRow(
  resource: Resource,
  { id, values }: { id: string; values: FieldValues },
  returning: readonly ResourceField[],
): Statement {
  const parameters = new Parameters()
  const bound = bindAll(values, parameters)
  const set = [...values.keys()].map((field, index) => `${quote(field.name)} = ${bound[index]}`)
  set.push(...serverChanges(resource))
  const active = resource.deletedAt ? ` and ${quote(resource.deletedAt.name)} is null` : ""
  const where = `${quote(resource.id.name)} = ${parameters.add(id)}${active}`
  return {
    text: `update ${quote(resource.table)} set ${set.join(", ")} where ${where}${returningList(returning)}`,
    values: parameters.values,
  }
}

/** Makes a deleted row active again, with the values that change. */
export function restoreRow(resource: Resource, { id, values }: { id: string; values: FieldValues }): Statement {
  const parameters = new Parameters()
  const bound = bindAll(values, parameters)
  const set = [...values.keys()].map((field, index) => `${quote(field.name)} = ${bound[index]}`)
  if (resource.deletedAt) set.push(`${quote(resource.deletedAt.name)} = null`)
  set.push(...serverChanges(resource))
  const where = `${quote(resource.id.name)} = ${parameters.add(id)}`
  return { text: `update ${quote(resource.table)} set ${set.join(", ")} where ${where}`, values: parameters.values }
}

/** Removes a row for good. */
export function deleteRow(resource: Resource, id: string, returning: readonly ResourceField[]): Statement {
  return {
    text: `delete from ${quote(resource.table)} where ${quote(resource.id.name)} = $1${returningList(returning)}`,
    values: [id],
  }
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

/** What every change of a row changes besides what it says. */
export function serverChanges({ revision }: Resource, prefix = ""): string[] {
  return revision ? [`${quote(revision.name)} = ${prefix}${quote(revision.name)} + 1`] : []
}

export function bindAll(values: FieldValues, parameters: Parameters): string[] {
  return [...values].map(([field, value]) =>
    parameters.add(value !== null && field.type.toSql ? field.type.toSql(value) : value),
  )
}

function returningList(fields: readonly ResourceField[]): string {
  return fields.length === 0 ? "" : ` returning ${fields.map((field) => quote(field.name)).join(", ")}`
}
