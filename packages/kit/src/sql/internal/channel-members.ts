import type { RowValues, Statement } from "../../ports/database.ts"
import { INSERT_CHANGES } from "../changes/changes.ts"
import { CHANNEL_INSTANCES_TABLE, CHANNEL_MEMBERS_TABLE } from "./channel-tables.ts"

/** The value of the column `resource_kind` in a change that announces that members have joined or left a room. */
export const MEMBERS_CHANGE = "channel members"

/** A room member's presence through one connection to this process. */
export interface ChannelPresence {
  readonly room: string
  /** The id of the connection. */
  readonly id: string
  /** The id of the member, which is equal on all connections of the member. */
  readonly member: string
  /**
   * The member's data that other members see, as JSON, plus extended JSON if JSON alone would lose type information.
   */
  readonly data: string
  readonly extended: string | undefined
}

interface MembersMoves {
  readonly instance: string
  readonly joined: readonly ChannelPresence[]
  /** The ids of the connections that left. */
  readonly left: readonly string[]
  /** The maximum number of connections in a room. */
  readonly maxConnections: number
}

// After this time without a heartbeat, a process counts as dead, and the members connected to it count as gone.
const HEARTBEAT_TIMEOUT_MS = 10_000

const appendMemberChanges = (rooms: string) => `${INSERT_CHANGES}(resource_kind, resource, record, kind, before, after)
  select distinct '${MEMBERS_CHANGE}', room, '', 'presence', null::jsonb, null::jsonb from (${rooms}) _rooms`

/**
 * Stores the connections that joined rooms through this process, and deletes the connections that left. Returns the ids
 * of the stored connections; connections above the limit of a room are not stored.
 */
export function saveMembers({ instance, joined, left, maxConnections }: MembersMoves): Statement {
  return {
    text: `with _left as (
        delete from ${CHANNEL_MEMBERS_TABLE} where instance = $1 and id = any($2::text[]) returning room
      ), _new as (
        select n.*, row_number() over (partition by room order by id) + (
          select count(*) from ${CHANNEL_MEMBERS_TABLE} m where m.room = n.room and m.id <> all($4::text[])
        ) as number
        from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) as n(room, id, member, data, extended)
      ), _joined as (
        insert into ${CHANNEL_MEMBERS_TABLE} (room, id, instance, member, data, extended)
        select room, id, $1, member, data, extended from _new where number <= $8::int
        on conflict (room, id) do update set data = excluded.data, extended = excluded.extended returning room, id
      ), _changes as (${appendMemberChanges("select room from _left union select room from _joined")})
      select id from _joined`,
    values: [
      instance,
      left,
      joined.map(({ room }) => room),
      joined.map(({ id }) => id),
      joined.map(({ member }) => member),
      joined.map(({ data }) => data),
      joined.map(({ extended }) => extended ?? null),
      maxConnections,
    ],
    appendsChanges: true,
  }
}

const IS_DEAD = `seen_at < clock_timestamp() - interval '${HEARTBEAT_TIMEOUT_MS} ms'`

/**
 * Writes the heartbeat of this process and returns two flags. The first is true if this process is new or was taken for
 * dead, the second if another process is dead.
 */
export function writeHeartbeat(instance: string): Statement {
  return {
    text: `insert into ${CHANNEL_INSTANCES_TABLE} (instance, seen_at) values ($1, clock_timestamp())
      on conflict (instance) do update set seen_at = clock_timestamp()
      returning xmax = 0, exists (select from ${CHANNEL_INSTANCES_TABLE} where ${IS_DEAD} and instance <> $1)`,
    values: [instance],
  }
}

/** Deletes the room members that were connected to processes without a recent heartbeat. */
export const DELETE_DEAD_INSTANCES: Statement = {
  text: `with _dead as (
      delete from ${CHANNEL_INSTANCES_TABLE} where ${IS_DEAD} returning instance
    ), _left as (
      delete from ${CHANNEL_MEMBERS_TABLE} where instance in (select instance from _dead) returning room
    )
    ${appendMemberChanges("select room from _left")}`,
  values: [],
  appendsChanges: true,
}

export function channelMembers(room: string): Statement {
  return {
    text: `select member, data, extended from ${CHANNEL_MEMBERS_TABLE} where room = $1 order by joined_at, id`,
    values: [room],
  }
}

/** Returns a room's members as JSON. Each member appears once, with the data of the member's newest connection. */
export function membersJson(rows: readonly RowValues[], isExtended: boolean): string {
  const members = new Map(rows.map(([member, data, extended]) => [member, isExtended ? wrapped(data, extended) : data]))
  return `[${[...members].map(([member, data]) => `{"id":${JSON.stringify(member)},"data":${data}}`).join(",")}]`
}

function wrapped(data: unknown, extended: unknown): string {
  return extended === null ? `{"json":${data}}` : String(extended)
}
