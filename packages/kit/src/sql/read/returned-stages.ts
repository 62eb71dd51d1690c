import type { AppSchema, LinkTable, Resource, ResourceForeignKey, StageCopies } from "../../schema/compile/resource.ts"
import { column, quote } from "../text/fragment.ts"

/**
 * Returns the statements that repair the stage copies of a stage that was removed from the app and is now declared
 * again. They delete or hide the copies of records that were deleted in the meantime, and remove foreign keys and links
 * to records that no longer exist.
 */
export function repairReturnedStages(schema: AppSchema, tables: ReadonlySet<string>): readonly string[] {
  const copies = schema.stages.filter(({ resource }) => tables.has(resource.table))
  return [
    ...copies.flatMap(repairCopies),
    ...schema.links.filter(({ name }) => tables.has(name)).flatMap(deleteDanglingLinks),
  ]
}

function repairCopies({ resource: copy }: StageCopies): string[] {
  const { table, id, deletedAt, working, foreignKeys } = copy
  if (working === undefined) return []
  const isGone = isMissing(column(quote(table), id.name), working)
  const settled = [
    `delete from ${quote(table)} where ${isGone}`,
    ...foreignKeys.map((key) => clearDanglingKey(copy, key)),
  ]
  if (deletedAt === undefined) return settled
  const isSame = `${column(quote(table), id.name)} = ${column("_working", id.name)}`
  const mark = `${quote(deletedAt.name)} = ${column("_working", deletedAt.name)}`
  return [...settled, `update ${quote(table)} set ${mark} from ${quote(working.table)} _working where ${isSame}`]
}

function clearDanglingKey({ table }: Resource, { field, target }: ResourceForeignKey): string {
  const isGone = `${quote(field.name)} is not null and ${isMissing(column(quote(table), field.name), target)}`
  return field.required
    ? `delete from ${quote(table)} where ${isGone}`
    : `update ${quote(table)} set ${quote(field.name)} = null where ${isGone}`
}

function deleteDanglingLinks({ name, columns }: LinkTable): string[] {
  return columns.map(
    (end) => `delete from ${quote(name)} where ${isMissing(column(quote(name), end.name), end.target)}`,
  )
}

function isMissing(value: string, { table, id }: Resource): string {
  return `not exists (select from ${quote(table)} _there where ${column("_there", id.name)} = ${value})`
}
