import type { RowValues, Statement } from "../../ports/database.ts"
import { INSERT_CHANGES } from "../changes/changes.ts"
import { CHANNEL_EVENTS_TABLE, CHANNELS_TABLE } from "./channel-tables.ts"

/** A channel event to be stored. Its data is JSON, plus extended JSON if JSON alone would lose type information. */
interface NewChannelEvent {
  readonly room: string
  readonly event: string
  readonly data: string
  readonly extended: string | undefined
}

/** The value of the column `resource_kind` in a change that announces a new event in a room. */
export const CHANNEL_CHANGE = "channel"

// The current time in microseconds, which becomes the id of a new event, or the room's last id plus one if that is
// higher. So a room that is deleted and begins again continues above its earlier ids, and an id shows the age of its
// event.
const TIME_ID = "(extract(epoch from clock_timestamp()) * 1000000)::bigint"

/** Returns the statement that stores an event and appends a row to `_kit_changes`, so that other processes see it. */
export function insertChannelEvent({ room, event, data, extended }: NewChannelEvent): Statement {
  return {
    text: `with _channel as (
        insert into ${CHANNELS_TABLE} as c (room, last_event) values ($1, ${TIME_ID}) on conflict (room) do update
        set previous_event = c.last_event, last_event = greatest(c.last_event + 1, excluded.last_event)
        returning last_event, previous_event
      ), _noted as (
        ${INSERT_CHANGES}(resource_kind, resource, record, kind, before, after)
        select '${CHANNEL_CHANGE}', $1, last_event::text, 'publish', null, null from _channel
      )
      insert into ${CHANNEL_EVENTS_TABLE} (room, id, previous, event, data, extended)
      select $1, last_event, previous_event, $2, $3, $4 from _channel returning id::text`,
    values: [room, event, data, extended ?? null],
    appendsChanges: true,
  }
}

/** The maximum number of channel events per read. */
export const MAX_EVENTS_PER_READ = 200

/**
 * The events published in a room since a position. If no position is passed, the page has no events, only the room's
 * current position.
 */
export interface ChannelPage {
  /** The position in the room's events at which the page begins. */
  readonly from: number
  /** The position of the room's newest event. */
  readonly last: number
  /**
   * True if events after the requested position have been deleted, or if that position does not belong to this room.
   */
  readonly hasGap: boolean
  readonly events: readonly ChannelEvent[]
}

export interface ChannelEvent {
  /** The event's time in microseconds since 1970, which a JavaScript number holds exactly for another two centuries. */
  readonly id: number
  readonly event: string
  /** The event's data as JSON text. */
  readonly data: string
  /** The event's data as extended JSON; undefined if plain JSON does not lose type information. */
  readonly extended: string | undefined
}

export function channelEventsSince(room: string, position: number | undefined): Statement {
  return {
    text: `select coalesce($2::bigint, c.last_event, 0)::text, coalesce(c.last_event, 0)::text,
        e.id::text, e.previous::text, e.event, e.data, e.extended
      from (select 1) _one left join ${CHANNELS_TABLE} c on c.room = $1
      left join lateral (
        select * from ${CHANNEL_EVENTS_TABLE} where room = $1 and id > coalesce($2::bigint, c.last_event)
        order by id limit ${MAX_EVENTS_PER_READ}
      ) e on true order by e.id`,
    values: [room, position ?? null],
  }
}

/** Returns the page of events in the result rows of `channelEventsSince`. */
export function decodeChannelPage(rows: readonly RowValues[]): ChannelPage {
  const [from = 0, last = 0, , previous = 0] = (rows[0] ?? []).map(Number)
  const events = rows
    .filter(([, , id]) => id !== null)
    .map(([, , id, , event, data, extended]) => decodeEvent({ id, event, data, extended }))
  // If no events were read although the room has had events since the position, those events have been deleted.
  const lastBefore = events.length === 0 ? last : previous
  const hasGap = lastBefore > from || from > last
  return { from, last, hasGap, events }
}

/** Returns the event of which these are the columns. */
export function decodeEvent({
  id,
  event,
  data,
  extended,
}: Readonly<Record<keyof ChannelEvent, unknown>>): ChannelEvent {
  return {
    id: Number(id),
    event: String(event),
    data: String(data),
    extended: extended === null ? undefined : String(extended),
  }
}

const EVENT_RETENTION_HOURS = 24
const ROOM_RETENTION_DAYS = 60
const oldestId = (age: string) => `(extract(epoch from now() - interval '${age}') * 1000000)::bigint`

/** Deletes the channel events that are too old to be replayed, and the rooms without an event for 60 days. */
export const DELETE_OLD_CHANNEL_EVENTS: readonly Statement[] = [
  { text: `delete from ${CHANNEL_EVENTS_TABLE} where id < ${oldestId(`${EVENT_RETENTION_HOURS} hours`)}`, values: [] },
  { text: `delete from ${CHANNELS_TABLE} where last_event < ${oldestId(`${ROOM_RETENTION_DAYS} days`)}`, values: [] },
]
