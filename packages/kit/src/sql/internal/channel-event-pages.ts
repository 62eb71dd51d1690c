import type { RowValues, Statement } from "../../ports/database.ts"
import { type ChannelEvent, decodeEvent } from "./channel-events.ts"
import { CHANNEL_EVENTS_TABLE } from "./channel-tables.ts"

/**
 * A part of the events of a room, which are listed the newest first. A position is the id of the newest event behind it:
 * an event with a higher id is before the position. The page has the newest events of the range, or its oldest ones.
 */
export interface ChannelEventRange {
  readonly room: string
  /** The page has events behind this position; undefined for the beginning of the list. */
  readonly after: number | undefined
  /** The page has events before this position; undefined for the end of the list. */
  readonly before: number | undefined
  readonly isFromEnd: boolean
  readonly limit: number
}

/** The events of a page, the newest first. */
export interface ChannelEventPage {
  readonly events: readonly ChannelEvent[]
  /** True if the range has more events than the page. */
  readonly hasMore: boolean
  /** True if the room has events on the other side of the page, outside of the range. */
  readonly hasOthers: boolean
}

/**
 * Selects the events of a range, and at most one more, whose presence shows that the range has more of them. The last
 * column, the same in each row, says whether the room has events on the other side. If the range is empty, one row has
 * null in all other columns.
 */
export function selectChannelEvents({ room, after, before, isFromEnd, limit }: ChannelEventRange): Statement {
  // A bound that is null stands for no bound.
  const others = isFromEnd ? "id <= $3::bigint" : "id > $2::bigint"
  return {
    text: `select e.id::text, e.event, e.data, e.extended,
        exists (select from ${CHANNEL_EVENTS_TABLE} where room = $1 and ${others})
      from (select 1) _one left join (
        select * from ${CHANNEL_EVENTS_TABLE}
        where room = $1 and id <= coalesce($2::bigint, ${LAST_ID}) and id > coalesce($3::bigint, 0)
        order by id ${isFromEnd ? "asc" : "desc"} limit $4
      ) e on true order by e.id desc`,
    values: [room, after ?? null, before ?? null, limit + 1],
  }
}

const LAST_ID = "9223372036854775807"

/** Returns the page of events in the result rows of `selectChannelEvents`. */
export function decodeChannelEvents(
  rows: readonly RowValues[],
  { limit, isFromEnd }: Pick<ChannelEventRange, "limit" | "isFromEnd">,
): ChannelEventPage {
  const found = rows.filter(([id]) => id !== null)
  const shown = isFromEnd ? found.slice(-limit) : found.slice(0, limit)
  return {
    events: shown.map(([id, event, data, extended]) => decodeEvent({ id, event, data, extended })),
    hasMore: found.length > limit,
    hasOthers: rows[0]?.[HAS_OTHERS] === true,
  }
}

const HAS_OTHERS = 4
