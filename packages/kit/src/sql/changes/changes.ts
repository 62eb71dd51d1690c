import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import type { Selection } from "../parse/selection.ts"
import { writtenRecordsAsJson } from "../read/select-json.ts"
import { fieldSql } from "../text/field-sql.ts"
import { column, quote } from "../text/fragment.ts"
import { createOwnIndex } from "../text/own-index.ts"
import { rowImage } from "../text/row-image.ts"
import type { ChangeKind } from "../versions/change-kind.ts"
import { versionedWrite } from "../versions/write-versions.ts"
import { PREPARE_CHANGE_CLEANUP, RELAYED_REQUEST, WRITE_MARK } from "./read-changes.ts"

const TABLE = quote("_kit_changes")

/**
 * The table of changes, to which only the statements in `sql/` write. Each connection takes ids in blocks of 64, so
 * that connections do not wait for each other. `id` therefore gives the order within one transaction only. A
 * transaction with a lower `xid` may commit after one with a higher `xid`, so a reader remembers a snapshot and
 * compares `xid` with it.
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

// The index by which a reader finds the new changes among those that are kept. It grows at its end only.
const CREATE_CHANGES_INDEX = createOwnIndex("_kit_changes.xid", `${TABLE} (xid)`)

/**
 * Creates, when the app starts, the table of changes with its index and the table in which the cleanup of changes stores its progress.
 */
export const PREPARE_CHANGES: readonly string[] = [
  CREATE_CHANGES_TABLE,
  CREATE_CHANGES_INDEX,
  ...PREPARE_CHANGE_CLEANUP,
]

/**
 * The beginning of an insert into the table of changes. A statement that contains it has the property `appendsChanges`.
 */
export const INSERT_CHANGES = `insert into ${TABLE} `

/** A write as the common table expression `_written`, which returns the columns listed by `writtenColumns`. */
interface WriteWithChanges {
  readonly resource: Resource
  readonly kind: ChangeKind
  /**
   * The kind of rows in `_written`: new rows, changed rows with their values before the write, deleted rows, or stage
   * copies. The change of a stage copy is stored without values, because they apply neither to the working copy nor to
   * other stages.
   */
  readonly rows: keyof typeof IMAGES
  readonly written: string
  /** Another common table expression, which `_written` refers to. */
  readonly precedingCte?: string
  /** The SQL of the time of the write, if the write does not set the row's update time. Only versions store it. */
  readonly at?: string
  /** SQL expressions on the rows of `_written`, which the statement returns after the requested fields. */
  readonly verdicts?: readonly string[] | undefined
}

/**
 * The result of a write for each row. It consists of the listed fields as columns, or of the selected record as JSON text
 * and the revision, if the resource keeps one. A selection must satisfy `canBeJson`.
 */
export type Returning = readonly ResourceField[] | Selection

/**
 * Returns the statement that runs the write, appends a change for each written row, and returns what is requested.
 * Without a request, it returns the ids.
 */
export function writeWithChanges(write: WriteWithChanges, returning: Returning): string {
  return `${writeAndNote(write)} ${"fields" in returning ? recordsQuery(returning) : columnsQuery(write, returning)}`
}

function columnsQuery({ resource, verdicts = [] }: WriteWithChanges, returning: readonly ResourceField[]): string {
  const fields = returning.length === 0 ? [resource.id] : returning
  return `select ${[...fields.map(returnedSql), ...verdicts].join(", ")} from _written`
}

function recordsQuery(selection: Selection): string {
  const { revision } = selection.resource
  const others = revision ? [column("_written", revision.name)] : []
  return writtenRecordsAsJson(selection, { columns: selection.fields.map(returnedSql), others, from: "_written" })
}

// Returns the common table expressions that run the write, append a change for each written row, and store its version.
function writeAndNote({ resource, kind, rows, written, precedingCte, at }: WriteWithChanges): string {
  const id = column("_written", resource.id.name)
  const { before, after } = IMAGES[rows](rowImage(imageFields(resource), "_written"))
  // Subscribers treat reverts and transitions as ordinary updates. For them, every write of a stage copy is an update of
  // the record, even if it removes the copy.
  const isUpdate = kind === "revert" || kind === "transition" || rows === "touched"
  const noted = isUpdate ? "update" : kind
  const values = `'${resource.kind}', '${resource.name}', ${id}, '${noted}', ${before}, ${after}`
  const note = `${INSERT_CHANGES}(resource_kind, resource, record, kind, before, after) select ${values} from _written`
  const versioned = resource.versions ? versionedWrite(resource, kind, at) : []
  const expressions = [
    ...(precedingCte ? [precedingCte] : []),
    `_written as (${written})`,
    `_noted as (${note})`,
    ...versioned,
  ]
  return `with ${expressions.join(", ")}`
}

// Returns the SQL of a requested field. In `_written`, a virtual field is a column with the field's name.
function returnedSql(field: ResourceField): string {
  return field.localized ? fieldSql("_written", field) : quote(field.name)
}

/**
 * Returns the SQL that appends a change of the kind `update` for each row whose links have changed, but whose columns
 * have not. `ids` is a query for the row ids.
 */
export function appendLinkChanges(resource: Resource, ids: string): string {
  const table = quote(resource.table)
  const id = column(table, resource.id.name)
  const rows = `select ${id} as id, ${rowImage(imageFields(resource), table)} as image from ${table} where ${id} in (${ids})`
  const values = `'${resource.kind}', '${resource.name}', _linked.id, 'update', '{}'::jsonb, _linked.image`
  const into = `${INSERT_CHANGES}(resource_kind, resource, record, kind, before, after)`
  return `${into} select ${values} from (${rows}) _linked returning record`
}

/**
 * Appends a change of the kind `update` for each of these records. They were written by other means, so the change has
 * neither their old nor their new values.
 */
export function appendTouchedRecords(resource: Resource, ids: readonly string[]): Statement {
  const text = touchedRecordsSql(resource, "select id from unnest($1::text[]) id")
  return { text, values: [ids], appendsChanges: true }
}

/** Returns the SQL that does the same as `appendTouchedRecords`, for the records whose ids a query returns. */
export function touchedRecordsSql({ kind, name }: Pick<Resource, "kind" | "name">, ids: string): string {
  const values = `'${kind}', '${name}', _touched.id, 'update', null, null`
  return `${INSERT_CHANGES}(resource_kind, resource, record, kind, before, after) select ${values} from (${ids}) _touched`
}

/** Sends a request to another process. The request is a row of the table of changes, which every process reads. */
export function appendRelayedRequest({ holder, id, body }: { holder: string; id: string; body: object }): Statement {
  return {
    text: `${INSERT_CHANGES}(resource_kind, resource, record, kind, before, after) values ('${RELAYED_REQUEST}', $1, $2, 'ask', null, $3)`,
    values: [holder, id, JSON.stringify(body)],
    appendsChanges: true,
  }
}

/** A write that its client has named, and that has been committed. */
export interface NamedWrite {
  /** Identifies the client that wrote, without revealing who it is. */
  readonly writer: string
  /** The client's id of the write. */
  readonly id: string
}

/**
 * Appends a mark for each of these writes. A reader of the mark has read all changes of its write. The
 * commit does not wait for the disk: a mark that a crash of the server loses is of no use to the streams that it ends.
 */
export function appendWriteMarks(writes: readonly NamedWrite[]): Statement {
  return {
    text: `${INSERT_CHANGES}(resource_kind, resource, record, kind, before, after)
      select '${WRITE_MARK}', writer, id, 'mark', null, null
      from (select set_config('synchronous_commit', 'off', true)) _setting, unnest($1::text[], $2::text[]) _marks (writer, id)`,
    values: [writes.map(({ writer }) => writer), writes.map(({ id }) => id)],
    appendsChanges: true,
  }
}

const IMAGES = {
  created: (image: string) => ({ before: "null::jsonb", after: image }),
  changed: (image: string) => ({ before: "_written._before", after: image }),
  removed: (image: string) => ({ before: image, after: "null::jsonb" }),
  touched: () => ({ before: "null::jsonb", after: "null::jsonb" }),
} as const

/**
 * Returns the common table expression `_old`, which locks the rows before an update and reads their old values as JSON.
 * It reads only the fields that the update may change, because all others are the same after the update. The lock is
 * `no key update`, as in the update itself, so that an insert of a foreign key to the rows does not wait.
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

/**
 * The column with the row's values before the update, as JSON. `writeWithChanges` needs it besides the requested
 * fields.
 */
export const BEFORE_IMAGE = "_old.image as _before"

/**
 * Returns the same column as `BEFORE_IMAGE`, for servers whose RETURNING can read the old row: Postgres 18 and later.
 */
export function returnedImage(resource: Resource, changed: Iterable<ResourceField>): string {
  return `${rowImage(changedFields(resource, changed), "_old")} as _before`
}

/** Returns the columns that a write must return to `writeWithChanges`, without duplicates. */
export function writtenColumns(
  resource: Resource,
  returning: Returning,
  alias: string = quote(resource.table),
): string {
  const kept = resource.versions ? resource.columns : imageFields(resource)
  const fields = new Set([resource.id, ...kept, ...("fields" in returning ? returning.fields : returning)])
  return [...fields].map((field) => writtenColumn(alias, field)).join(", ")
}

function writtenColumn(alias: string, field: ResourceField): string {
  return field.isStored ? column(alias, field.name) : `${fieldSql(alias, field)} as ${quote(field.name)}`
}

const imageFieldCache = new WeakMap<Resource, readonly ResourceField[]>()

// Returns the fields whose values are stored with each change, because live queries are filtered by them. Fields with
// long values are left out, because they would double the cost of a write; hidden fields, because they may hold
// secrets.
function imageFields(resource: Resource): readonly ResourceField[] {
  const known = imageFieldCache.get(resource)
  if (known) return known
  const fields = resource.columns.filter(({ hidden, type }) => !hidden && !LONG_TYPES.has(type.name))
  imageFieldCache.set(resource, fields)
  return fields
}

const LONG_TYPES: ReadonlySet<string> = new Set(["textarea", "json", "object", "array", "blocks", "richText"])
