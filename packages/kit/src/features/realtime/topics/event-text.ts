import type { ChannelEvent } from "../../../sql/internal/channel-events.ts"

/** The forms of an event, made once for all who are sent it. */
const texts = new WeakMap<ChannelEvent, { plain?: string; extended?: string }>()

/** An event as it is sent, after the id of its channel. */
export function eventText(event: ChannelEvent, isExtended: boolean): string {
  const known = texts.get(event) ?? {}
  texts.set(event, known)
  const form = isExtended ? "extended" : "plain"
  known[form] ??= write(event, isExtended ? (event.extended ?? `{"json":${event.data}}`) : event.data)
  return known[form]
}

function write({ id, event }: ChannelEvent, data: string): string {
  return `"event":${JSON.stringify(event)},"eventId":"${id}","data":${data}}\n\n`
}
