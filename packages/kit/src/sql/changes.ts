import type { Statement } from "../ports/database.ts"
import type { Resource, ResourceField } from "../schema/resource.ts"
import { fieldSql } from "./field-sql.ts"
import { column, quote } from "./fragment.ts"

/** What happened to a record. */
export type ChangeKind = "create" | "update" | "delete" | "restore" | "purge"

const TABLE = quote("_kit_changes")

/**
 * The table of changes, written by the statements of this floor and by nothing else.
 * A transaction with a lower number may commit later: whoever reads on from a change compares `xid`, not `id` alone.
 */
const CREATE_CHANGES_TABLE = `create table if not exists ${TABLE} (
  id bigint generated always as identity,
  resource_kind text not null,
  resource text not null,
  record uuid not null,
  kind text not null,
  before jsonb,
  after jsonb,
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default now()
)`

// Small and cheap to keep: changes are only ever looked for by their age.
const CREATE_CHANGES_INDEX = `create index if not exists "_kit_changes.created_at" on ${TABLE} using brin (created_at)`

// Nobody listens for longer than this.
const FORGET_OLD_CHANGES = `delete from ${TABLE} where created_at < now() - interval '1 day'`

/** Makes the table of changes ready for a start. */
export const PREPARE_CHANGES: readonly string[] = [CREATE_CHANGES_TABLE, CREATE_CHANGES_INDEX, FORGET_OLD_CHANGES]

/** A write as a common table expression `written`, which holds the columns of `writtenColumns`. */
interface NotedWrite {
  readonly resource: Resource
  readonly kind: ChangeKind
  /** What `written` holds: new rows, changed ones with their image before, or rows that are gone for good. */
  readonly rows: keyof typeof IMAGES
  readonly written: string
  /** Another expression that `written` needs. */
  readonly first?: string
}

/** The statement that writes, notes each written row as a change, and returns the fields. */
export function notedWrite(
  { resource, kind, rows, written, first }: NotedWrite,
  returning: readonly ResourceField[],
): string {
  const id = column("written", resource.id.name)
  const { before, after } = IMAGES[rows](imageSql(resource, "written"))
  const values = `'${resource.kind}', '${resource.name}', ${id}, '${kind}', ${before}, ${after}`
  const note = `insert into ${TABLE} (resource_kind, resource, record, kind, before, after) select ${values} from written`
  const fields = returning.length === 0 ? [resource.id] : returning
  const list = fields.map((field) => quote(field.name)).join(", ")
  const expressions = [...(first ? [first] : []), `written as (${written})`, `noted as (${note})`]
  return `with ${expressions.join(", ")} select ${list} from written`
}

/** Notes a change of these records that no statement of this floor has made: nobody knows what they were before. */
export function noteTouched({ kind, name }: Resource, ids: readonly string[]): Statement {
  const values = `'${kind}', '${name}', id, 'update', null, null`
  return {
    text: `insert into ${TABLE} (resource_kind, resource, record, kind, before, after) select ${values} from unnest($1::uuid[]) id`,
    values: [ids],
  }
}

const IMAGES = {
  created: (image: string) => ({ before: "null::jsonb", after: image }),
  changed: (image: string) => ({ before: "written._before", after: image }),
  removed: (image: string) => ({ before: image, after: "null::jsonb" }),
} as const

/** The locked row before an update, as a common table expression `old`. */
export function oldRow(resource: Resource, where: string): string {
  const table = quote(resource.table)
  const id = quote(resource.id.name)
  return `old as materialized (select ${id}, ${imageSql(resource, table)} as image from ${table} where ${where} for update)`
}

/** What an update returns to `notedWrite`, besides the fields that are asked for. */
export const BEFORE_IMAGE = "old.image as _before"

/** The columns that `notedWrite` needs of a write, each once. */
export function writtenColumns(
  resource: Resource,
  returning: readonly ResourceField[],
  alias: string = quote(resource.table),
): string {
  const fields = new Set([resource.id, ...imageFields(resource), ...returning])
  return [...fields].map((field) => writtenColumn(alias, field)).join(", ")
}

function writtenColumn(alias: string, field: ResourceField): string {
  return field.isStored ? column(alias, field.name) : `${fieldSql(alias, field)} as ${quote(field.name)}`
}

// Read as a row of its own: a function that takes names and values has room for fifty of them only.
function imageSql(resource: Resource, alias: string): string {
  const columns = imageFields(resource).map((field) => column(alias, field.name))
  return `(select to_jsonb(image) from (select ${columns.join(", ")}) image)`
}

const knownImageFields = new WeakMap<Resource, readonly ResourceField[]>()

// What lists are filtered by. Long values would double the cost of a write, and secrets stay where they are.
function imageFields(resource: Resource): readonly ResourceField[] {
  const known = knownImageFields.get(resource)
  if (known) return known
  const fields = resource.columns.filter(({ hidden, type }) => !hidden && !LONG_TYPES.has(type.name))
  knownImageFields.set(resource, fields)
  return fields
}

const LONG_TYPES: ReadonlySet<string> = new Set(["textarea", "json", "object", "array", "richText"])
