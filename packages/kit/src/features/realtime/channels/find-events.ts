import type { OperationContext } from "../../../engine/context/operation-context.ts"
import { readCursors, readWindow, type UncheckedOptions } from "../../../engine/context/read-options.ts"
import { decryptCursor, encryptCursor } from "../../../engine/cursors/cursor.ts"
import { cursorsOfNothing } from "../../../engine/cursors/page-position.ts"
import { readForAnswer } from "../../../engine/read/read-for-answer.ts"
import {
  type ChannelEventPage,
  type ChannelEventRange,
  decodeChannelEvents,
  selectChannelEvents,
} from "../../../sql/internal/channel-event-pages.ts"
import type { ChannelEvent } from "../../../sql/internal/channel-events.ts"
import { decodeExtended } from "../../../wire/codecs/extended-json.ts"
import { invalid } from "../../../wire/errors/api-error.ts"
import type { EventPage, PageCursors } from "../../../wire/results/results.ts"
import type { RoomAddress } from "./channel-address.ts"

/**
 * Returns a page of the stored events of a room, the newest first. The options are `limit`, `after` and `before`. No rule
 * is evaluated.
 */
export async function findEvents(
  ctx: OperationContext,
  { roomKey: room }: RoomAddress,
  options: UncheckedOptions,
): Promise<EventPage> {
  const { limit } = readWindow(options)
  const { after, before } = readCursors(options)
  const range: ChannelEventRange = {
    room,
    limit,
    after: await readPosition(ctx, room, { option: "after", cursor: after }),
    before: await readPosition(ctx, room, { option: "before", cursor: before }),
    isFromEnd: after === undefined && before !== undefined,
  }
  const { rows } = await readForAnswer(ctx, selectChannelEvents(range))
  const page = decodeChannelEvents(rows, range)
  const [first, last] = [page.events[0], page.events.at(-1)]
  const cursors = first && last ? await cursorsOf(ctx, room, { first, last }) : cursorsOfNothing({ after, before })
  return { docs: page.events.map(shownEvent), limit, ...sidesOf(page, range), ...cursors }
}

async function cursorsOf(
  ctx: OperationContext,
  room: string,
  { first, last }: Readonly<Record<"first" | "last", ChannelEvent>>,
): Promise<PageCursors> {
  return {
    startCursor: await writePosition(ctx, room, first.id),
    endCursor: await writePosition(ctx, room, last.id - 1),
  }
}

function sidesOf({ hasMore, hasOthers }: ChannelEventPage, { isFromEnd }: ChannelEventRange) {
  return { hasPrevPage: isFromEnd ? hasMore : hasOthers, hasNextPage: isFromEnd ? hasOthers : hasMore }
}

function shownEvent({ id, event, data, extended }: ChannelEvent): EventPage["docs"][number] {
  const value: unknown = extended === undefined ? JSON.parse(data) : decodeExtended(JSON.parse(extended))
  return { event, eventId: String(id), data: value }
}

// The first member of a cursor: the list is that of a room.
const KIND = "channel"

function writePosition(ctx: OperationContext, room: string, position: number): Promise<string> {
  return encryptCursor(ctx, [KIND, room, position])
}

interface GivenPosition {
  readonly option: "after" | "before"
  readonly cursor: string | null | undefined
}

async function readPosition(
  ctx: OperationContext,
  room: string,
  { option, cursor }: GivenPosition,
): Promise<number | undefined> {
  if (typeof cursor !== "string") return undefined
  const [kind, madeFor, position] = await decryptCursor(ctx, { option, cursor })
  if (kind === KIND && madeFor === room && typeof position === "number") return position
  throw invalid(
    option,
    "This cursor belongs to another list: another room, or a list of records. Begin again with null.",
  )
}
