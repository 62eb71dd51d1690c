import type { Statement } from "../../ports/database.ts"
import {
  isOrderedRelation,
  type ManyToMany,
  type Resource,
  type ResourceField,
  type ResourceVersions,
} from "../../schema/compile/resource.ts"
import { column, idList, quote } from "../text/fragment.ts"
import { linkOrder } from "../text/link-order.ts"
import { rowImage } from "../text/row-image.ts"
import type { ChangeKind } from "./change-kind.ts"
import { AUTHORS_KEY, isNewestOfStage, STAGE_KEY, VERSIONS_TABLE } from "./version-table.ts"

/**
 * Returns the common table expressions that store the rows of `_written` as versions; none if the resource keeps no
 * versions. The time of the versions is `at`, or the update time of the rows.
 */
export function versionedWrite(resource: Resource, kind: ChangeKind, at = updateTime(resource)): string[] {
  const { versions } = resource
  if (versions === undefined) return []
  if (isPermanentDelete(resource, kind)) return [`_forgotten as (${deleteVersions(resource)})`]
  const insert = `_versioned as (${insertVersions(resource, { kind, at })})`
  if (kind !== "create") return [insert, `_pruned as (${prune(resource, versions)})`]
  // An id chosen by a caller may have belonged to another record, which was deleted while versions were turned off.
  // That record's remaining versions are deleted.
  return resource.id.system ? [insert] : [insert, `_forgotten as (${deleteVersions(resource)} and number > 1)`]
}

// A write that deletes a record permanently also deletes the record's versions. The removal of a stage copy does not
// delete the record.
function isPermanentDelete({ deletedAt, working }: Resource, kind: ChangeKind): boolean {
  if (working !== undefined) return false
  return kind === "purge" || (kind === "delete" && deletedAt === undefined)
}

function updateTime({ updatedAt }: Resource): string {
  return updatedAt ? column("_written", updatedAt.name) : "now()"
}

function deleteVersions(resource: Resource): string {
  return `delete from ${VERSIONS_TABLE} where ${isOf(resource)} and ${isWritten(resource)}`
}

function isOf(resource: Resource): string {
  return `"table" = '${recordTable(resource)}'`
}

/**
 * Returns the table name under which versions are stored. A record's working copy and its stage copies share one
 * version history.
 */
export function recordTable({ table, working }: Resource): string {
  return working?.table ?? table
}

function isWritten({ id }: Resource): string {
  return `record in (select ${column("_written", id.name)}::text from _written)`
}

interface VersionValues {
  readonly kind: ChangeKind | "refused"
  /** The SQL of the time at which the write happened. */
  readonly at: string
}

// Returns the SQL that stores the written rows as versions. It overwrites versions with the same number, which may be
// left over from before versions were turned off.
function insertVersions(resource: Resource, { kind, at }: VersionValues): string {
  const { versions, id } = resource
  const values = {
    table: `'${recordTable(resource)}'`,
    record: `${column("_written", id.name)}::text`,
    number: column("_written", versions?.number.name ?? ""),
    operation: `'${kind}'`,
    user_id: column("_written", versions?.user.name ?? ""),
    created_at: at,
    data: dataSql(resource, kind),
  }
  const names = Object.keys(values).map(quote)
  const replaced = ["id", ...names.slice(3)].map((name) => `${name} = excluded.${name}`)
  return `insert into ${VERSIONS_TABLE} (${names.join(", ")}) select ${Object.values(values).join(", ")} from _written
    on conflict ("table", record, number) do update set ${replaced.join(", ")}`
}

// Returns the SQL of a version's data: the stored columns with all locales, and the linked ids under the names of their
// fields.
function dataSql(resource: Resource, kind: VersionValues["kind"]): string {
  const { versions } = resource
  const columns = resource.columns.filter((field) => field !== versions?.number && field !== versions?.user)
  const image = rowImage(columns, "_written") + stageMark(resource)
  const links = linkedFields(resource)
  if (links.length === 0) return image
  const id = column("_written", resource.id.name)
  // A new record does not have links yet, so its lists of linked ids are empty.
  const list = (relation: ManyToMany) => (kind === "create" ? "'[]'::jsonb" : linkedIds(relation, id))
  return `${image} || jsonb_build_object(${links.map(({ name, relation }) => `'${name}', ${list(relation)}`).join(", ")})`
}

// Returns the SQL that marks a version as a version of a stage copy. The stage alone does not distinguish it from a
// version of the working copy, which keeps the same stage if it is edited after the transition.
function stageMark({ working, workflow }: Resource): string {
  const stage = column("_written", workflow?.stage.name ?? "")
  return working ? ` || jsonb_build_object('${STAGE_KEY}', ${stage})` : ""
}

interface LinkedField extends ResourceField {
  readonly relation: ManyToMany
}

/** Returns the fields of many-to-many relations. The links of these relations are stored in versions. */
export function linkedFields({ fields }: Resource): LinkedField[] {
  return [...fields.values()].filter(isLinked)
}

/** True if the resource's versions also hold links, which are not in the row itself. */
export function keepsLinks(resource: Resource): boolean {
  return resource.versions !== undefined && linkedFields(resource).length > 0
}

/**
 * Returns the SQL condition that the row has not changed since the statement began. If the row changes while the
 * statement waits for the row's lock, the statement would store the new columns with the old links. The version counter
 * does not reveal that, because links may change without a new version.
 */
export function isUnchanged({ table, id }: Resource, placeholder: string): string {
  const found = `select _found.xmin from ${quote(table)} _found where _found.${quote(id.name)} = ${placeholder}`
  return `xmin is not distinct from (${found})`
}

function isLinked(field: ResourceField): field is LinkedField {
  return field.relation?.kind === "manyToMany"
}

// The ids of an ordered relation are in its order, and all others in the order of the ids themselves.
function linkedIds(relation: ManyToMany, id: string): string {
  const { link } = relation
  const other = `_link.${quote(link.other)}`
  const order = isOrderedRelation(relation) ? linkOrder("_link", link.other) : other
  return `(select coalesce(jsonb_agg(${other} order by ${order}), '[]') from ${quote(link.table)} _link where _link.${quote(link.own)} = ${id})`
}

function prune(resource: Resource, { number, max }: ResourceVersions): string {
  const newest = column("_written", number.name)
  const old = `_old_version.record = ${column("_written", resource.id.name)}::text and _old_version.number <= ${newest} - ${max}`
  const kept = resource.workflow ? ` and not ${isNewestOfStage("_old_version")}` : ""
  return `delete from ${VERSIONS_TABLE} _old_version using _written
    where ${newest} > ${max} and _old_version.${isOf(resource)} and ${old}${kept}`
}

/**
 * Updates the links in the newest version of each of these locked records. The versions of working copies and of stage
 * copies are updated by separate calls.
 */
export function refreshLinks(resource: Resource, ids: readonly string[]): Statement {
  const row = quote(recordTable(resource))
  const id = column(row, resource.id.name)
  const links = linkedFields(resource).map(({ name, relation }) => `'${name}', ${linkedIds(relation, id)}`)
  return { text: changeNewest(resource, `jsonb_build_object(${links.join(", ")})`), values: [ids] }
}

/**
 * Stores the present value of a field in the newest version of a locked record. The versions of working copies and of
 * stage copies are updated by separate calls.
 */
export function refreshFieldInNewestVersion(resource: Resource, field: ResourceField, id: string): Statement {
  const row = column(quote(recordTable(resource)), resource.id.name)
  const value = `select to_jsonb(${column("_now", field.name)}) from ${quote(resource.table)} _now where ${column("_now", resource.id.name)} = ${row}`
  return { text: changeNewest(resource, `jsonb_build_object('${field.name}', (${value}))`), values: [[id]] }
}

/** Stores the authors of the newest version of a locked record's working copy. */
export function nameVersionAuthors(
  resource: Resource,
  { id, authors }: { readonly id: string; readonly authors: readonly string[] },
): Statement {
  const text = changeNewest(resource, `jsonb_build_object('${AUTHORS_KEY}', $2::jsonb)`)
  return { text, values: [[id], JSON.stringify(authors)] }
}

// Returns the SQL that changes the newest version of each record whose id is in the parameter `$1`.
function changeNewest(resource: Resource, changes: string): string {
  const row = quote(recordTable(resource))
  const id = column(row, resource.id.name)
  const isNewest = `_newest.record = ${id}::text and _newest.number = ${newestNumber(resource, row)}`
  return `update ${VERSIONS_TABLE} _newest set data = _newest.data || ${changes} from ${row}
    where _newest.${isOf(resource)} and ${isNewest} and ${id} = any(${idList(resource, "$1")})`
}

// Returns the SQL of the number of the newest version of a working copy, or of a stage copy. The two share one counter,
// so the record's last version may belong to the other one.
function newestNumber(resource: Resource, row: string): string {
  const { versions, workflow, working, id } = resource
  if (workflow === undefined) return column(row, versions?.number.name ?? "")
  const isOfCopy = `_each.data ? '${STAGE_KEY}'`
  const isSame = `_each.record = ${column(row, id.name)}::text and ${working ? isOfCopy : `not ${isOfCopy}`}`
  return `(select _each.number from ${VERSIONS_TABLE} _each where _each.${isOf(resource)} and ${isSame} order by _each.number desc limit 1)`
}

/**
 * Touches these locked records, so that the condition `isUnchanged` becomes false in statements that wait for the lock.
 */
export function touchLinked(resource: Resource, ids: readonly string[]): Statement {
  const number = quote(resource.versions?.number.name ?? "")
  const where = `${quote(resource.id.name)} = any(${idList(resource, "$1")})`
  return { text: `update ${quote(resource.table)} set ${number} = ${number} where ${where}`, values: [ids] }
}

interface VersionInput {
  readonly ids: readonly string[]
  readonly user: string | null
  readonly at: Date
  /**
   * The operation that is stored with the version. It is `refused` if a pending transition was not allowed when its
   * time came.
   */
  readonly kind?: "update" | "refused"
}

/** Locks these records in the order of their ids. Links that are read afterwards are current. */
export function lockLinked(resource: Resource, ids: readonly string[]): Statement {
  const id = quote(resource.id.name)
  const where = `${id} = any(${idList(resource, "$1")})`
  return {
    text: `select ${id} from ${quote(resource.table)} where ${where} order by ${id} for no key update`,
    values: [ids],
  }
}

/**
 * Appends a version of each of these locked records. The records' fields have not changed, but their links may have.
 */
export function appendVersions(resource: Resource, { ids, user, at, kind = "update" }: VersionInput): Statement {
  const { versions, table, id } = resource
  if (versions === undefined) throw new Error(`"${resource.name}" keeps no versions.`)
  const number = quote(versions.number.name)
  const set = `${number} = coalesce(${number}, 0) + 1, ${quote(versions.user.name)} = $2`
  const where = `${quote(id.name)} = any(${idList(resource, "$1")})`
  const written = `_written as (update ${quote(table)} set ${set} where ${where} returning *)`
  const inserted = insertVersions(resource, { kind, at: "$3::timestamptz" })
  return {
    text: `with ${written}, _pruned as (${prune(resource, versions)}) ${inserted}`,
    values: [ids, user, at],
  }
}
