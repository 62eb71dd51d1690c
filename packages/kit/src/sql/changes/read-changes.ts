import type { RowValues, Statement } from "../../ports/database.ts"

/** What happened to a record, as far as its change tells. */
export interface NotedChange {
  readonly resourceKind: string
  readonly resource: string
  readonly record: string
  readonly kind: string
  /** What had another value before, as JSON; null of a record that is new, or where nobody knows. */
  readonly before: Image | null
  /** What lists are filtered by, as JSON; null of a record that is gone, or where nobody knows. */
  readonly after: Image | null
}

// One row: what whoever forgets changes next may forget, which is old enough then, and the last change that is forgotten.
const MARKS = '"_kit_change_marks"'

type Image = Readonly<Record<string, unknown>>

/** The kind of resource of what one process asks of another. */
export const RELAYED = "relayed"

/** Where somebody begins who will read changes: what this snapshot shows has happened before. */
export const CURRENT_POSITION: Statement = { text: "select pg_current_snapshot()::text", values: [] }

/**
 * The changes that have become visible since the position. Each row has the position that is reached with all of them,
 * whether some may have been forgotten unread, and then a change; where there is none, one row has the first two. A
 * transaction that was open at a position is not passed over, and nobody waits for it either.
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

/** The change of a row that `changesSince` gave; undefined where the row has the position alone. */
export function changeIn(row: RowValues): NotedChange | undefined {
  const [, , resourceKind, resource, record, kind, before, after] = row
  if (resource === null) return undefined
  return {
    resourceKind: String(resourceKind),
    resource: String(resource),
    record: String(record),
    kind: String(kind),
    // Written by `rowImage`: an object, or nothing.
    before: before as Image | null,
    after: after as Image | null,
  }
}

/** For how long a change can be read, at least, once it is visible. */
export const CHANGES_KEPT_MS = 30_000

export const PREPARE_FORGETTING: readonly string[] = [
  `create table if not exists ${MARKS} (
    one boolean primary key default true check (one),
    snapshot pg_snapshot not null,
    set_at timestamptz not null,
    forgotten xid8
  )`,
  `insert into ${MARKS} (snapshot, set_at) values (pg_current_snapshot(), now()) on conflict do nothing`,
]

/**
 * Forgets the changes that everybody has had the time to read. It does nothing where another process does it, or just did.
 * Marks that are ahead of this server come from another one, from which the database was moved, and begin anew.
 */
export const FORGET_READ_CHANGES: Statement = {
  text: `with _old as (
      select snapshot, pg_snapshot_xmax(snapshot) <= pg_snapshot_xmax(pg_current_snapshot()) as is_own
      from ${MARKS} where set_at <= now() - interval '${CHANGES_KEPT_MS} ms' for update skip locked
    ), _gone as (
      delete from "_kit_changes" using _old where is_own and pg_visible_in_snapshot(xid, snapshot) returning xid
    )
    update ${MARKS} set snapshot = pg_current_snapshot(), set_at = now(), forgotten = greatest(
      case when is_own then forgotten end, (select xid from _gone order by xid desc limit 1)
    ) from _old`,
  values: [],
}
