import { createHash } from "node:crypto"
import { setImmediate as breathe } from "node:timers/promises"

/** The result of a live query as it is sent. */
export interface Snapshot {
  readonly hash: string
  /** The result as JSON, followed by the end of its event. All subscribers share these bytes. */
  readonly data: Buffer
  /** Complete events with this result, if it is short enough to be copied. */
  readonly events: SharedEvent[]
}

/** An event for all subscribers whose topics have this id and this sequence number. */
interface SharedEvent {
  readonly topicId: string
  readonly seq: number
  readonly parts: readonly [Buffer]
}

const HASH_LENGTH = 16
const END = "}\n\n"
// Each step takes some milliseconds per megabyte.
const SLICE_LENGTH = 1024 * 1024
// Subscribers that joined together share the whole event, including its beginning: one buffer is written for all of
// them. Above this size, the copy would cost more than that saves.
const MAX_COPIED_BYTES = 16 * 1024
// Further subscribers get the beginning and the shared bytes as two parts.
const MAX_SHARED_EVENTS = 4

/** Makes the snapshot of a result. A long result is processed in slices, with yields to the event loop in between. */
export async function snapshotOf(json: string): Promise<Snapshot> {
  const isLong = json.length > SLICE_LENGTH
  // Postgres puts each record on a line of its own, but an event has only one line. JSON strings contain no raw line
  // breaks.
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

/** Returns the event of a snapshot for one topic of a stream, in parts. All parts but the beginning are shared. */
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
