import type { ChannelEvent } from "../../../sql/internal/channel-events.ts"

/** Caches the JSON and the extended JSON text of each channel event, which all subscribers share. */
const texts = new WeakMap<ChannelEvent, { plain?: string; extended?: string }>()

/** Returns the text of a channel event as it is sent to clients, without the channel id that precedes it. */
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
