import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { writeWithChanges } from "../changes/changes.ts"
import { column, quote } from "../text/fragment.ts"
import { StatementCache } from "../text/statement-cache.ts"
import { assignment, counterAssignments, type FieldValues, storedValues } from "./write.ts"

interface CopyUpdate {
  readonly id: string
  readonly values: FieldValues
  /** The user who is stored as the author of the new version. */
  readonly user: string | null
}

const statementCache = new StatementCache()

/**
 * Updates the stage copy of a locked record. The record's working copy holds the revision and version counters. They
 * are incremented there and copied to the stage copy, so that the same number never stands for two different states of
 * the record. All other columns of the working copy stay unchanged.
 */
export function updateCopyRow(copy: Resource, { id, values, user }: CopyUpdate): Statement {
  const fields = [...values.keys()]
  const text = statementCache.get(copy, fields.map(({ name }) => name).join(" "), () => copyUpdate(copy, fields))
  return { text, values: [...storedValues(values), id, ...(copy.versions ? [user] : [])], appendsChanges: true }
}

function copyUpdate(copy: Resource, fields: readonly ResourceField[]): string {
  const table = quote(copy.table)
  const id = `$${fields.length + 1}`
  const precedingCte = incrementCounters(copy, { id, user: `$${fields.length + 2}` })
  const set = fields.map((field, index) => assignment(table, field, `$${index + 1}`))
  if (copy.revision) set.push(`${quote(copy.revision.name)} = ${column("_counted", copy.revision.name)}`)
  const from = precedingCte === undefined ? "" : " from _counted"
  const where = `${column(table, copy.id.name)} = ${id}`
  const written = `update ${table} set ${set.join(", ")}${from} where ${where} returning ${writtenColumns(copy)}`
  return writeWithChanges(
    { resource: copy, kind: "update", rows: "touched", written, ...(precedingCte && { precedingCte }) },
    [],
  )
}

function incrementCounters(
  { working, versions, id, revision }: Resource,
  bound: { readonly id: string; readonly user: string },
): string | undefined {
  if (working === undefined || (versions ?? revision) === undefined) return undefined
  const table = quote(working.table)
  const set = counterAssignments(working, table)
  if (versions) set.push(`${quote(versions.user.name)} = ${bound.user}`)
  const counted = [revision, versions?.number, versions?.user].flatMap((field) => (field ? [quote(field.name)] : []))
  const where = `${quote(id.name)} = ${bound.id}`
  return `_counted as (update ${table} set ${set.join(", ")} where ${where} returning ${counted.join(", ")})`
}

function writtenColumns({ table, id, columns, versions }: Resource): string {
  if (versions === undefined) return column(quote(table), id.name)
  const own = columns.map(({ name }) => column(quote(table), name))
  return [...own, ...[versions.number, versions.user].map(({ name }) => column("_counted", name))].join(", ")
}

/** Locks the stage copy of a record. Returns no row if the record has no copy in this stage. */
export function lockCopy({ table, id: { name } }: Resource, id: string): Statement {
  return {
    text: `select ${quote(name)} from ${quote(table)} where ${quote(name)} = $1 for no key update`,
    values: [id],
  }
}
