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

// A table with one row: the snapshot whose changes the next cleanup deletes, the time of that snapshot, and the `xid`
// of the last deleted change.
const MARKS = '"_kit_change_marks"'

type Image = Readonly<Record<string, unknown>>

/** The `resource_kind` of a request from one process to another, which is sent as a row of the table of changes. */
export const RELAYED_REQUEST = "relayed"

/**
 * Selects the position from which a new reader begins. The changes that are visible in this snapshot lie before the
 * position.
 */
export const CURRENT_POSITION: Statement = { text: "select pg_current_snapshot()::text", values: [] }

/**
 * Reads the changes that have become visible since the position. Each row has the new position, a flag that is true if
 * some changes may have been deleted unread, and a change; without changes, a single row has only the first two. A
 * transaction that was open at the position is not skipped, and the reader does not wait for it.
 */
export function changesSince(position: string): Statement {
  const isNew = "xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot)"
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
 * has just done so. A stored snapshot that is ahead of this server comes from the server that the database was copied
 * from, and is replaced.
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
