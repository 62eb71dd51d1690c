import type { RowValues, Statement } from "../../ports/database.ts"

/** A committed change of a record, as it is stored in `_kit_changes`. */
export interface CommittedChange {
  readonly resourceKind: string
  readonly resource: string
  readonly record: string
  readonly kind: string
  /** The previous values of the changed fields, as JSON; null for a new record, or if the values are unknown. */
  readonly before: Image | null
  /**
   * The new values of the fields that queries can be filtered by, as JSON; null for a deleted record, or if the values
   * are unknown.
   */
  readonly after: Image | null
}

// The table, with one row, for the cleanup of changes. It holds a snapshot, the time of the snapshot, and the highest
// `xid` of a deleted change. The next cleanup deletes the changes that are visible in the snapshot.
const MARKS = '"_kit_change_marks"'

type Image = Readonly<Record<string, unknown>>

/**
 * The value of the column `resource_kind` in a row of `_kit_changes` that is not a change, but a request from one
 * process to another.
 */
export const RELAYED_REQUEST = "relayed"

/**
 * The value of the column `resource_kind` in a row of `_kit_changes` that is not a change, but marks the end of a write
 * that its client has named: `resource` is the writer, `record` the client's id of the write. A reader of the mark has
 * read all changes of the write.
 */
export const WRITE_MARK = "write"

/**
 * Selects the position from which a new reader of changes begins: a snapshot. The reader gets only the changes that are
 * not yet visible in the snapshot.
 */
export const CURRENT_POSITION: Statement = { text: "select pg_current_snapshot()::text", values: [] }

/**
 * Reads the changes that have become visible since the position. Each row has the new position, a flag that is true if
 * some changes may have been deleted unread, and a change. If there are no changes, a single row has only the position
 * and the flag. Changes of a transaction that was still open at the position are read once it commits; the reader does
 * not wait for it.
 */
export function changesSince(position: string): Statement {
  // No change that can be read has a higher xid than the second condition allows. It is there because Postgres expects
  // few rows between two bounds, and so reads them by the index, also before it has statistics of the table.
  const isRecent = "xid >= pg_snapshot_xmin($1::pg_snapshot) and xid < pg_snapshot_xmax(pg_current_snapshot())"
  const isNew = `${isRecent} and not pg_visible_in_snapshot(xid, $1::pg_snapshot)`
  const isLate = `coalesce((select forgotten >= pg_snapshot_xmin($1::pg_snapshot) from ${MARKS}), false)`
  const columns = "resource_kind, resource, record, kind, before, after"
  return {
    text: `select pg_current_snapshot()::text, ${isLate}, ${columns} from (select 1) _now left join "_kit_changes" on ${isNew}`,
    values: [position],
  }
}

/**
 * Returns the change in a result row of `changesSince`, or undefined if the row holds only the position and the flag.
 */
export function decodeChange(row: RowValues): CommittedChange | undefined {
  const [, , resourceKind, resource, record, kind, before, after] = row
  if (resource === null) return undefined
  return {
    resourceKind: String(resourceKind),
    resource: String(resource),
    record: String(record),
    kind: String(kind),
    // The casts are safe: the image columns were written by `rowImage` and hold an object or null.
    before: before as Image | null,
    after: after as Image | null,
  }
}

/** The minimum time, in milliseconds, for which a change can be read after it becomes visible. */
export const CHANGE_RETENTION_MS = 30_000

export const PREPARE_CHANGE_CLEANUP: readonly string[] = [
  `create table if not exists ${MARKS} (
    one boolean primary key default true check (one),
    snapshot pg_snapshot not null,
    set_at timestamptz not null,
    forgotten xid8
  )`,
  `insert into ${MARKS} (snapshot, set_at) values (pg_current_snapshot(), now()) on conflict do nothing`,
]

/**
 * Deletes the changes that every reader has had the time to read. Does nothing if another process is deleting them or
 * has just done so. A stored snapshot that this server has not reached yet comes from another server, from which the
 * database was copied; it is replaced, and nothing is deleted.
 */
export const DELETE_READ_CHANGES: Statement = {
  text: `with _old as (
      select snapshot, pg_snapshot_xmax(snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) as is_own
      from ${MARKS} where set_at <= now() - interval '${CHANGE_RETENTION_MS} ms' for update skip locked
    ), _gone as (
      delete from "_kit_changes" using _old where is_own and pg_visible_in_snapshot(xid, snapshot) returning xid
    )
    update ${MARKS} set snapshot = pg_current_snapshot(), set_at = now(), forgotten = greatest(
      case when is_own then forgotten end, (select xid from _gone order by xid desc limit 1)
    ) from _old`,
  values: [],
}
