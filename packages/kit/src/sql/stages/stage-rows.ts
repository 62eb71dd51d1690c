import type { Statement } from "../../ports/database.ts"
import { type Link, POSITION, type Resource, type StageCopies } from "../../schema/compile/resource.ts"
import { idList, quote } from "../text/fragment.ts"

/** Replaces the stage copies of these records, and the links of the copies, with the records' current state. */
export function copyToStage(working: Resource, { resource, links }: StageCopies, ids: readonly string[]): Statement[] {
  // The author's text for the search is copied, too. The other search columns follow from it and from the fields.
  const { content } = resource.search ?? {}
  const names = [...resource.columns.map(({ name }) => name), ...(content ? [content.column] : [])].map(quote)
  const changed = names.filter((name) => name !== quote(working.id.name))
  const rows = `select ${names.join(", ")} from ${quote(working.table)} where ${isAmong(working, working.id.name)}`
  const replaced = changed.map((name) => `${name} = excluded.${name}`).join(", ")
  const insert = `insert into ${quote(resource.table)} (${names.join(", ")}) ${rows}`
  return [
    { text: `${insert} on conflict (${quote(working.id.name)}) do update set ${replaced}`, values: [ids] },
    ...links.flatMap((pair) => [removeLinks(working, pair.to, ids), copyLinks(working, pair, ids)]),
  ]
}

/** Deletes the stage copies of these records, and the links of the copies. */
export function withdrawFromStage(working: Resource, copies: StageCopies, ids: readonly string[]): Statement[] {
  const remove = `delete from ${quote(copies.resource.table)} where ${isAmong(working, working.id.name)}`
  return [...deleteLinksOfCopies(working, copies, ids), { text: remove, values: [ids] }]
}

/** Deletes the links of the stage copies of these records. */
export function deleteLinksOfCopies(working: Resource, { links }: StageCopies, ids: readonly string[]): Statement[] {
  return links.map(({ to }) => removeLinks(working, to, ids))
}

/** Hides the stage copies of soft-deleted records, or makes the stage copies of restored records visible again. */
export function copyDeletedAt(working: Resource, { resource }: StageCopies, ids: readonly string[]): Statement {
  const { id, deletedAt } = working
  if (deletedAt === undefined) throw new Error(`"${working.name}" keeps no deleted records.`)
  const set = `${quote(deletedAt.name)} = _working.${quote(deletedAt.name)}`
  const copy = quote(resource.table)
  const same = `${copy}.${quote(id.name)} = _working.${quote(id.name)}`
  return {
    text: `update ${copy} set ${set} from ${quote(working.table)} _working where ${same} and ${copy}.${isAmong(working, id.name)}`,
    values: [ids],
  }
}

function removeLinks(working: Resource, { table, own }: Link, ids: readonly string[]): Statement {
  return { text: `delete from ${quote(table)} where ${isAmong(working, own)}`, values: [ids] }
}

function copyLinks(working: Resource, { from, to }: StageCopies["links"][number], ids: readonly string[]): Statement {
  const rows = `select ${linkColumns(from)} from ${quote(from.table)} where ${isAmong(working, from.own)}`
  return { text: `insert into ${quote(to.table)} (${linkColumns(to)}) ${rows}`, values: [ids] }
}

function linkColumns({ own, other, ordered }: Link): string {
  return [own, other, ...(ordered ? [POSITION] : [])].map(quote).join(", ")
}

function isAmong(working: Resource, column: string): string {
  return `${quote(column)} = any(${idList(working, "$1")})`
}
