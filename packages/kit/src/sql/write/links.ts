import type { Statement } from "../../ports/database.ts"
import type {
  Link,
  LinkTable,
  ManyToMany,
  Resource,
  ResourceField,
  ToManyRelation,
} from "../../schema/compile/resource.ts"
import { appendLinkChanges } from "../changes/changes.ts"
import { idList, quote } from "../text/fragment.ts"

/**
 * A record, the other records to link it with or unlink it from, and those of the other records for which this
 * transaction has already appended a change.
 */
interface LinkedRecords {
  readonly id: string
  readonly others: readonly string[]
  readonly alreadyAppended: readonly string[]
}

/**
 * Links a record with other records; existing links stay. Returns the ids of the other records for which it appended a
 * change.
 */
export function insertLinks(relation: ManyToMany, { id, others, alreadyAppended }: LinkedRecords): Statement {
  const { table, own, other } = relation.link
  const columns = `${quote(own)}, ${quote(other)}`
  const insert = `insert into ${quote(table)} (${columns}) select $1, unnest(${idList(relation.target, "$2")}) on conflict do nothing`
  return withOtherEndChanges(relation, { text: insert, values: [id, others] }, alreadyAppended)
}

/** Unlinks a record from other records. Returns the ids of the other records for which it appended a change. */
export function deleteLinks(relation: ManyToMany, { id, others, alreadyAppended }: LinkedRecords): Statement {
  const { table, own, other } = relation.link
  const where = `${quote(own)} = $1 and ${quote(other)} = any(${idList(relation.target, "$2")})`
  return withOtherEndChanges(
    relation,
    { text: `delete from ${quote(table)} where ${where}`, values: [id, others] },
    alreadyAppended,
  )
}

function withOtherEndChanges({ target, link }: ManyToMany, write: Statement, noted: readonly string[]): Statement {
  const { text, values } = write
  if (!hasRelationOver(target, link.table, link.other)) return write
  const written = `with _written as (${text} returning ${quote(link.other)} as id)`
  const isNew = `id <> all(${idList(target, `$${values.length + 1}`)})`
  const note = appendLinkChanges(target, `select id from _written where ${isNew}`)
  return { text: `${written} ${note}`, values: [...values, noted], appendsChanges: true }
}

// True if the resource has a many-to-many relation that uses this link table and stores the resource's own ids in this
// column.
function hasRelationOver(resource: Resource, table: string, column: string): boolean {
  return [...resource.fields.values()].some(
    ({ relation }) => relation?.kind === "manyToMany" && relation.link.table === table && relation.link.own === column,
  )
}

/**
 * Selects the ids of all active records that are related to a record, including records that are hidden from the
 * caller.
 */
export function selectRelatedIds(relation: ToManyRelation, id: string): Statement {
  const { table, id: key, deletedAt } = relation.target
  const related =
    relation.kind === "hasMany"
      ? `${quote(relation.via.name)} = $1`
      : `${quote(key.name)} in (${linked(relation.link)})`
  const active = deletedAt ? ` and ${quote(deletedAt.name)} is null` : ""
  return { text: `select ${quote(key.name)} from ${quote(table)} where ${related}${active}`, values: [id] }
}

function linked({ table, own, other }: Link): string {
  return `select link.${quote(other)} from ${quote(table)} link where link.${quote(own)} = $1`
}

/**
 * Deletes every link that has this id in the given column. Appends a change for each record on the other side of a
 * deleted link, if that record's resource has a relation over the link table, or compares the links of public copies.
 */
export function deleteLinksOf({ name, columns }: LinkTable, column: string, id: string): Statement {
  const removal = `delete from ${quote(name)} where ${quote(column)} = $1`
  const [first, second] = columns
  const [own, other] = first.name === column ? [first, second] : [second, first]
  const isSeen = hasRelationOver(other.target, name, other.name)
  if (!isSeen && !comparesPublicLinks(other.target, name, other.name)) return { text: removal, values: [id] }
  const written = `with _written as (${removal} returning ${quote(other.name)} as id)`
  // The record's own change is left out, because the write of the record itself already appends it.
  const isOther = own.target === other.target ? " where id <> $1" : ""
  const note = appendLinkChanges(other.target, `select id from _written${isOther}`)
  // The links of a public copy are not part of the working copy, so that they are not in the result.
  const text = isSeen ? `${written} ${note}` : `${written}, _noted as (${note}) select from _noted where false`
  return { text, values: [id], appendsChanges: true }
}

// True if working copies are compared with public copies whose links are in this table, under their own ids in this
// column.
function comparesPublicLinks({ workflow }: Resource, table: string, column: string): boolean {
  const links = workflow?.changedSincePublished.comparison?.copies.links ?? []
  return links.some(({ to }) => to.table === table && to.own === column)
}

/** Locks the records that point to this record through the given field, in the order of their ids. */
export function lockReferring(
  { table, id: key }: Resource,
  field: ResourceField,
  { id, limit }: { id: string; limit: number | undefined },
): Statement {
  const rows = `from ${quote(table)} where ${quote(field.name)} = $1 order by ${quote(key.name)}`
  return { text: `select ${quote(key.name)} ${rows} limit $2 for update`, values: [id, limit ?? null] }
}
