import type { RowValues, Statement } from "../../ports/database.ts"
import { NOTING_TEXT } from "../changes/changes.ts"
import { CHANNEL_INSTANCES_TABLE, CHANNEL_MEMBERS_TABLE } from "./channel-tables.ts"

/** The kind of resource of the changes that say that somebody has come to a channel, or has left it. */
export const MEMBERS_CHANGE = "channel members"

/** Somebody on one connection, as a process has them. */
export interface ChannelPresence {
  readonly place: string
  /** Of the connection. */
  readonly id: string
  /** Who it is: the same on all their connections. */
  readonly member: string
  /** What is shown of them: JSON, and extended JSON where that says more. */
  readonly data: string
  readonly extended: string | undefined
}

/** How many connections are seen in a channel. */
export const MOST_MEMBERS = 1_000
// So long a process may be silent before those who are connected to it are taken for gone.
const SILENCE_MS = 10_000

const noted = (places: string) => `${NOTING_TEXT}(resource_kind, resource, record, kind, before, after)
  select distinct '${MEMBERS_CHANGE}', place, '', 'presence', null::jsonb, null::jsonb from (${places}) _places`

/** Stores who has come to this process and forgets who has left it; gives the ids for which there was room. */
export function saveMembers(instance: string, come: readonly ChannelPresence[], gone: readonly string[]): Statement {
  return {
    text: `with _gone as (
        delete from ${CHANNEL_MEMBERS_TABLE} where instance = $1 and id = any($2::text[]) returning place
      ), _new as (
        select n.*, row_number() over (partition by place order by id) + (
          select count(*) from ${CHANNEL_MEMBERS_TABLE} m where m.place = n.place and m.id <> all($4::text[])
        ) as number
        from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) as n(place, id, member, data, extended)
      ), _come as (
        insert into ${CHANNEL_MEMBERS_TABLE} (place, id, instance, member, data, extended)
        select place, id, $1, member, data, extended from _new where number <= ${MOST_MEMBERS}
        on conflict (place, id) do update set data = excluded.data, extended = excluded.extended returning place, id
      ), _noted as (${noted("select place from _gone union select place from _come")})
      select id from _come`,
    values: [
      instance,
      gone,
      come.map(({ place }) => place),
      come.map(({ id }) => id),
      come.map(({ member }) => member),
      come.map(({ data }) => data),
      come.map(({ extended }) => extended ?? null),
    ],
  }
}

const IS_DEAD = `seen_at < clock_timestamp() - interval '${SILENCE_MS} ms'`

/** Says that this process lives. Gives whether it is new, or was taken for dead, and whether another one is dead. */
export function beatHeart(instance: string): Statement {
  return {
    text: `insert into ${CHANNEL_INSTANCES_TABLE} (instance, seen_at) values ($1, clock_timestamp())
      on conflict (instance) do update set seen_at = clock_timestamp()
      returning xmax = 0, exists (select from ${CHANNEL_INSTANCES_TABLE} where ${IS_DEAD} and instance <> $1)`,
    values: [instance],
  }
}

/** Forgets those who were connected to processes that have not been heard of for long. */
export const FORGET_DEAD: Statement = {
  text: `with _dead as (
      delete from ${CHANNEL_INSTANCES_TABLE} where ${IS_DEAD} returning instance
    ), _gone as (
      delete from ${CHANNEL_MEMBERS_TABLE} where instance in (select instance from _dead) returning place
    )
    ${noted("select place from _gone")}`,
  values: [],
}

export function channelMembers(place: string): Statement {
  return {
    text: `select member, data, extended from ${CHANNEL_MEMBERS_TABLE} where place = $1 order by joined_at, id`,
    values: [place],
  }
}

/** The members as JSON: each once, as their newest connection shows them. */
export function membersText(rows: readonly RowValues[], isExtended: boolean): string {
  const members = new Map(rows.map(([member, data, extended]) => [member, isExtended ? wrapped(data, extended) : data]))
  return `[${[...members].map(([member, data]) => `{"id":${JSON.stringify(member)},"data":${data}}`).join(",")}]`
}

function wrapped(data: unknown, extended: unknown): string {
  return extended === null ? `{"json":${data}}` : String(extended)
}
