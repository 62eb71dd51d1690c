import { setImmediate as breathe } from "node:timers/promises"
import { answerHashInSlices, onOneLine } from "../../../engine/read/answer-hash.ts"

/** The result of a live query, in the format in which it is sent to clients. */
export interface Snapshot {
  readonly hash: string
  /**
   * The query's result as JSON text, followed by the characters that end a server-sent event. All subscribers share it.
   */
  readonly data: Buffer
  /**
   * Complete server-sent events with this result, kept only if the result is short enough to be copied. Undefined if
   * subscribers share no events.
   */
  readonly events: SharedEvent[] | undefined
}

/** A snapshot event that is shared by all subscribers whose topics have this id and this sequence number. */
interface SharedEvent {
  readonly topicId: string
  readonly seq: number
  readonly parts: readonly [Buffer]
}

const END = "}\n\n"
// Other work runs between the steps if a result is longer than this. Each step takes some milliseconds per megabyte.
const LONG = 1024 * 1024
// The maximum size of a result that is copied into a complete event, which subscribers that joined together share as
// one buffer. For a larger result, the copy would cost more than the sharing saves.
const MAX_COPIED_BYTES = 16 * 1024
// The maximum number of complete events per snapshot. Further subscribers get two parts: the beginning of their own
// event, and the shared bytes of the result.
const MAX_SHARED_EVENTS = 4

/** Makes a snapshot from a result in JSON. Between the steps for a long result, it yields to the event loop. */
export async function snapshotOf(json: string): Promise<Snapshot> {
  const text = onOneLine(json)
  if (json.length > LONG) await breathe()
  const data = Buffer.from(text + END)
  return { hash: await answerHashInSlices(data.subarray(0, -END.length)), data, events: [] }
}

/**
 * Returns the parts of the event that sends a snapshot to one topic: one buffer with the complete event, which
 * subscribers may share, or the beginning of the event and the shared bytes of the result.
 */
export function snapshotEvent(snapshot: Snapshot, topicId: string, seq: number): readonly (string | Buffer)[] {
  const { hash, data, events } = snapshot
  const shared = events?.find((each) => each.seq === seq && each.topicId === topicId)
  if (shared) return shared.parts
  const head = `event: snapshot\ndata: {"topicId":${JSON.stringify(topicId)},"seq":${seq},"hash":"${hash}","data":`
  if (!events || data.length > MAX_COPIED_BYTES || events.length === MAX_SHARED_EVENTS) return [head, data]
  const parts = [Buffer.concat([Buffer.from(head), data])] as const
  events.push({ topicId, seq, parts })
  return parts
}
