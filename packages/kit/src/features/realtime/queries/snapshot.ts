import { createHash } from "node:crypto"
import { setImmediate as breathe } from "node:timers/promises"

/** The result of a live query, in the format in which it is sent to clients. */
export interface Snapshot {
  readonly hash: string
  /**
   * The query's result as JSON text, followed by the characters that end a server-sent event. All subscribers share it.
   */
  readonly data: Buffer
  /** Complete server-sent events with this result, kept only if the result is short enough to be copied. */
  readonly events: SharedEvent[]
}

/** A snapshot event that is shared by all subscribers whose topics have this id and this sequence number. */
interface SharedEvent {
  readonly topicId: string
  readonly seq: number
  readonly parts: readonly [Buffer]
}

const HASH_LENGTH = 16
const END = "}\n\n"
// A result that is longer than this is processed in slices of this length. Processing takes some milliseconds per
// megabyte.
const SLICE_LENGTH = 1024 * 1024
// The maximum size of a result that is copied into a complete event, which subscribers that joined together share as
// one buffer. For a larger result, the copy would cost more than the sharing saves.
const MAX_COPIED_BYTES = 16 * 1024
// The maximum number of complete events per snapshot. Further subscribers get two parts: the beginning of their own
// event, and the shared bytes of the result.
const MAX_SHARED_EVENTS = 4

/**
 * Makes a snapshot from a result in JSON. A long result is processed in slices, with yields to the event loop in
 * between.
 */
export async function snapshotOf(json: string): Promise<Snapshot> {
  const isLong = json.length > SLICE_LENGTH
  // Removes line breaks, because our server-sent events have a single line of data, and PostgreSQL puts each record on
  // a line of its own. Line breaks inside JSON strings are escaped, so they are kept.
  const text = json.replaceAll("\n", "")
  if (isLong) await breathe()
  const data = Buffer.from(text + END)
  const hash = createHash("sha1")
  for (let start = 0; start < data.length - END.length; start += SLICE_LENGTH) {
    if (isLong) await breathe()
    hash.update(data.subarray(start, Math.min(start + SLICE_LENGTH, data.length - END.length)))
  }
  return { hash: hash.digest("base64url").slice(0, HASH_LENGTH), data, events: [] }
}

/**
 * Returns the parts of the event that sends a snapshot to one topic: one buffer with the complete event, which
 * subscribers may share, or the beginning of the event and the shared bytes of the result.
 */
export function snapshotEvent(snapshot: Snapshot, topicId: string, seq: number): readonly (string | Buffer)[] {
  const { hash, data, events } = snapshot
  const shared = events.find((each) => each.seq === seq && each.topicId === topicId)
  if (shared) return shared.parts
  const head = `event: snapshot\ndata: {"topicId":${JSON.stringify(topicId)},"seq":${seq},"hash":"${hash}","data":`
  if (data.length > MAX_COPIED_BYTES || events.length === MAX_SHARED_EVENTS) return [head, data]
  const parts = [Buffer.concat([Buffer.from(head), data])] as const
  events.push({ topicId, seq, parts })
  return parts
}
