import type { RowValues, Statement } from "../../ports/database.ts"

/** A committed change of a record, as `_kit_changes` holds it. */
export interface CommittedChange {
  readonly resourceKind: string
  readonly resource: string
  readonly record: string
  readonly kind: string
  /** The previous values of the changed fields, as JSON; null for a new record, or if they are unknown. */
  readonly before: Image | null
  /** The fields that lists can be filtered by, as JSON; null for a deleted record, or if they are unknown. */
  readonly after: Image | null
}

// One row: the snapshot whose changes the next cleanup deletes, its time, and the `xid` of the last deleted change.
const MARKS = '"_kit_change_marks"'

type Image = Readonly<Record<string, unknown>>

/** The `resource_kind` of a request from one process to another, which travels among the changes. */
export const RELAYED_REQUEST = "relayed"

/** The position from which a new reader begins: the changes visible in this snapshot lie before it. */
export const CURRENT_POSITION: Statement = { text: "select pg_current_snapshot()::text", values: [] }

/**
 * Reads the changes that have become visible since the position. Each row has the position reached with all of them, a
 * flag that some may have been deleted unread, and a change; if there are none, a single row has only the first two. A
 * transaction that was open at a position is not skipped, and the reader does not wait for it either.
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

/** Returns the change in a row of `changesSince`; undefined if the row has only the position. */
export function decodeChange(row: RowValues): CommittedChange | undefined {
  const [, , resourceKind, resource, record, kind, before, after] = row
  if (resource === null) return undefined
  return {
    resourceKind: String(resourceKind),
    resource: String(resource),
    record: String(record),
    kind: String(kind),
    // `rowImage` wrote it: an object or null.
    before: before as Image | null,
    after: after as Image | null,
  }
}

/** The minimum time for which a change can be read after it becomes visible. */
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
 * Deletes the changes that every reader has had the time to read. Does nothing if another process is doing so or has
 * just done so. A snapshot that is ahead of this server comes from the server that the database was copied from, and is
 * replaced.
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
