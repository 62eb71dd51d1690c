import type { Outlet } from "../../ports/http.ts"
import type { LiveEvents } from "../../wire/live-events.ts"
import type { Snapshot } from "./live-query.ts"

/** A snapshot on its way to one topic of a stream. */
interface TopicSnapshot {
  readonly topicId: string
  readonly seq: number
  readonly snapshot: Snapshot
}

// So long a client may take to hear the last of it, which nobody else can end: its stream is not counted any more.
const LEAVING_MS = 5_000

const END = Buffer.from("}\n\n")

/**
 * What one client is told. While it does not take what it was sent, only the newest snapshot of each topic waits for it,
 * as bytes that it shares with others.
 */
export class OutgoingEvents {
  readonly #outlet: Outlet
  readonly #waiting = new Map<string, TopicSnapshot>()
  /** Who is in a channel, by its id. */
  readonly #waitingMembers = new Map<string, string>()
  #isBlocked = false
  /** Since when the client has not taken anything, by `performance.now()`. */
  #blockedAt: number | undefined

  constructor(outlet: Outlet) {
    this.#outlet = outlet
  }

  get isBlocked(): boolean {
    return this.#isBlocked
  }

  get blockedAt(): number | undefined {
    return this.#blockedAt
  }

  /** Says something short, whether the client is slow or not. */
  say<Name extends keyof LiveEvents>(name: Name, data: LiveEvents[Name]): void {
    this.#note(this.#outlet.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`))
  }

  /** Hands on an event of a channel, whose text all share but for its beginning. */
  pass(channelId: string, text: string): void {
    this.#note(this.#outlet.write(`event: channel\ndata: {"channelId":${JSON.stringify(channelId)},`, text))
  }

  /** A sign of life, which a client that is still being sent something does not need. */
  ping(text: string): void {
    if (!this.#isBlocked) this.#note(this.#outlet.write(text))
  }

  show(shown: TopicSnapshot): void {
    if (this.#isBlocked) this.#waiting.set(shown.topicId, shown)
    else this.#send(shown)
  }

  /** Says who is in a channel; to a slow client only how it is in the end. */
  showMembers(channelId: string, members: string): void {
    this.#waitingMembers.set(channelId, members)
    if (!this.#isBlocked) this.#sendMembers()
  }

  /** The topic has ended: nothing that waits for it is sent. */
  forget(topicId: string): void {
    this.#waiting.delete(topicId)
    this.#waitingMembers.delete(topicId)
  }

  /** The client has taken all that it was sent. */
  drained(): void {
    this.#isBlocked = false
    this.#blockedAt = undefined
    this.#sendMembers()
    for (const [topicId, shown] of this.#waiting) {
      if (this.#isBlocked) return
      this.#waiting.delete(topicId)
      this.#send(shown)
    }
  }

  end(): void {
    this.#outlet.end()
    setTimeout(() => this.#outlet.destroy(), LEAVING_MS).unref()
  }

  destroy(): void {
    this.#outlet.destroy()
  }

  #sendMembers(): void {
    for (const [channelId, members] of this.#waitingMembers) {
      if (this.#isBlocked) return
      this.#waitingMembers.delete(channelId)
      const head = `event: presence\ndata: {"channelId":${JSON.stringify(channelId)},"members":`
      this.#note(this.#outlet.write(head, members, END))
    }
  }

  #send({ topicId, seq, snapshot: { hash, data } }: TopicSnapshot): void {
    const head = `event: snapshot\ndata: {"topicId":${JSON.stringify(topicId)},"seq":${seq},"hash":"${hash}","data":`
    this.#note(this.#outlet.write(head, data, END))
  }

  #note(hasRoom: boolean): void {
    if (hasRoom || this.#isBlocked) return
    this.#isBlocked = true
    this.#blockedAt = performance.now()
  }
}
