import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { fieldSql } from "../text/field-sql.ts"
import { column, quote } from "../text/fragment.ts"
import { rowImage } from "../text/row-image.ts"
import type { ChangeKind } from "../versions/change-kind.ts"
import { versionedWrite } from "../versions/write-versions.ts"
import { PREPARE_FORGETTING, RELAYED } from "./read-changes.ts"

const TABLE = quote("_kit_changes")

/**
 * The table of changes, written by the statements of this floor and by nothing else.
 * Connections take their ids in blocks, which spares them the wait for each other, so `id` tells the order within a
 * transaction alone. One with a lower `xid` may commit later: whoever reads on from a change compares `xid`.
 */
const CREATE_CHANGES_TABLE = `create table if not exists ${TABLE} (
  id bigint generated always as identity (cache 64),
  resource_kind text not null,
  resource text not null,
  record text not null,
  kind text not null,
  before jsonb,
  after jsonb,
  xid xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null default now()
)`

// Changes were kept for a day once, and found by their age. What is kept for a minute is read as a whole.
const DROP_CHANGES_INDEX = `drop index if exists "_kit_changes.created_at"`

// Ids were UUIDs once. Writes of instances that still take them for such fit into the column as it is now.
const WIDEN_RECORD = `do $$ begin
  if exists (
    select from pg_attribute where attrelid = '${TABLE}'::regclass and attname = 'record' and atttypid = 'uuid'::regtype
  ) then alter table ${TABLE} alter column record type text; end if;
end $$`

/** Makes the table of changes ready for a start. */
export const PREPARE_CHANGES: readonly string[] = [
  CREATE_CHANGES_TABLE,
  WIDEN_RECORD,
  DROP_CHANGES_INDEX,
  ...PREPARE_FORGETTING,
]

/** A statement that notes changes holds this text, and no other does. */
export const NOTING_TEXT = `insert into ${TABLE} `

/** A write as a common table expression `_written`, which holds the columns of `writtenColumns`. */
interface NotedWrite {
  readonly resource: Resource
  readonly kind: ChangeKind
  /**
   * What `_written` holds: new rows, changed ones with their image before, rows that are gone for good, or the copies of
   * records, of which no image tells what a reader of the record or of another stage sees.
   */
  readonly rows: keyof typeof IMAGES
  readonly written: string
  /** Another expression that `_written` needs. */
  readonly first?: string
}

/** The statement that writes, notes each written row as a change, and returns the fields. */
export function notedWrite(
  { resource, kind, rows, written, first }: NotedWrite,
  returning: readonly ResourceField[],
): string {
  const id = column("_written", resource.id.name)
  const { before, after } = IMAGES[rows](rowImage(imageFields(resource), "_written"))
  // To whoever listens, these are updates like any other.
  const noted = kind === "revert" || kind === "transition" ? "update" : kind
  const values = `'${resource.kind}', '${resource.name}', ${id}, '${noted}', ${before}, ${after}`
  const note = `${NOTING_TEXT}(resource_kind, resource, record, kind, before, after) select ${values} from _written`
  const fields = returning.length === 0 ? [resource.id] : returning
  const list = fields.map(returnedSql).join(", ")
  const versioned = resource.versions ? versionedWrite(resource, kind) : []
  const expressions = [...(first ? [first] : []), `_written as (${written})`, `_noted as (${note})`, ...versioned]
  return `with ${expressions.join(", ")} select ${list} from _written`
}

// A virtual field is a column of what was written, by its name.
function returnedSql(field: ResourceField): string {
  return field.localized ? fieldSql("_written", field) : quote(field.name)
}

/** Notes rows as updated whose links have changed, and nothing else of them; `ids` is a query that gives their ids. */
export function notedLinks(resource: Resource, ids: string): string {
  const table = quote(resource.table)
  const id = column(table, resource.id.name)
  const rows = `select ${id} as id, ${rowImage(imageFields(resource), table)} as image from ${table} where ${id} in (${ids})`
  const values = `'${resource.kind}', '${resource.name}', _linked.id, 'update', '{}'::jsonb, _linked.image`
  const into = `${NOTING_TEXT}(resource_kind, resource, record, kind, before, after)`
  return `${into} select ${values} from (${rows}) _linked returning record`
}

/** Notes a change of these records that no statement of this floor has made: nobody knows what they were before. */
export function noteTouched(resource: Resource, ids: readonly string[]): Statement {
  return { text: touchedNote(resource, "select id from unnest($1::text[]) id"), values: [ids] }
}

/** As `noteTouched`, of the records whose ids a query gives. */
export function touchedNote({ kind, name }: Pick<Resource, "kind" | "name">, ids: string): string {
  const values = `'${kind}', '${name}', _touched.id, 'update', null, null`
  return `${NOTING_TEXT}(resource_kind, resource, record, kind, before, after) select ${values} from (${ids}) _touched`
}

/** Puts what a process is asked to do beside the changes, which it reads. */
export function noteRelayed({ holder, id, body }: { holder: string; id: string; body: object }): Statement {
  return {
    text: `${NOTING_TEXT}(resource_kind, resource, record, kind, before, after) values ('${RELAYED}', $1, $2, 'ask', null, $3)`,
    values: [holder, id, JSON.stringify(body)],
  }
}

const IMAGES = {
  created: (image: string) => ({ before: "null::jsonb", after: image }),
  changed: (image: string) => ({ before: "_written._before", after: image }),
  removed: (image: string) => ({ before: image, after: "null::jsonb" }),
  touched: () => ({ before: "null::jsonb", after: "null::jsonb" }),
} as const

/**
 * The locked rows before an update, as a common table expression `_old`.
 * Their image has only what the update may change: all else is in the image after it. They are locked as by the update
 * itself: to point to them need not wait.
 */
export function oldRow(resource: Resource, where: string, changed: Iterable<ResourceField>): string {
  const table = quote(resource.table)
  const image = rowImage(changedFields(resource, changed), table)
  return `_old as materialized (select ${quote(resource.id.name)}, ${image} as image from ${table} where ${where} for no key update)`
}

function changedFields(resource: Resource, changed: Iterable<ResourceField>): readonly ResourceField[] {
  const named = new Set(changed)
  return imageFields(resource).filter((field) => named.has(field) || isKeptByServer(resource, field))
}

function isKeptByServer({ revision, deletedAt }: Resource, field: ResourceField): boolean {
  return field === revision || field === deletedAt
}

/** What an update returns to `notedWrite`, besides the fields that are asked for. */
export const BEFORE_IMAGE = "_old.image as _before"

/** As `BEFORE_IMAGE`, where the server itself can say what a row was before its update: from Postgres 18 on. */
export function returnedImage(resource: Resource, changed: Iterable<ResourceField>): string {
  return `${rowImage(changedFields(resource, changed), "_old")} as _before`
}

/** The columns that `notedWrite` needs of a write, each once. */
export function writtenColumns(
  resource: Resource,
  returning: readonly ResourceField[],
  alias: string = quote(resource.table),
): string {
  const kept = resource.versions ? resource.columns : imageFields(resource)
  const fields = new Set([resource.id, ...kept, ...returning])
  return [...fields].map((field) => writtenColumn(alias, field)).join(", ")
}

function writtenColumn(alias: string, field: ResourceField): string {
  return field.isStored ? column(alias, field.name) : `${fieldSql(alias, field)} as ${quote(field.name)}`
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
