import { type ChannelEvent, type ChannelPage, EVENTS_AT_ONCE } from "../../../sql/internal/channel-events.ts"
import { JudgedTopic, type Judgement } from "../topics/judged-topic.ts"
import type { AskedChannel } from "../topics/read-topics.ts"
import type { Membership } from "./channel-members.ts"
import type { RoomListener } from "./channel-room.ts"

/** A right to follow a channel, as it was judged. */
export interface ChannelRead extends Judgement {
  /** Whether code of the author's had a say: it may decide otherwise the next time. */
  readonly isJudged: boolean
  /** What others see of the client; undefined where the channel shows nobody. */
  readonly shown: Shown | undefined
}

interface Shown {
  readonly data: string
  readonly extended: string | undefined
}

/** Where the events of a channel come from, and what its client is told. */
export interface ChannelPlace {
  plan(channel: AskedChannel): Promise<ChannelRead>
  join(read: ChannelRead, listener: RoomListener): () => void
  /** Is seen in the channel from now on. */
  enter(read: ChannelRead, shown: Shown): Membership
  /** Is told who is in the channel. */
  watch(read: ChannelRead): () => void
  /** What has been published since the position. */
  read(read: ChannelRead, position: number | undefined): Promise<ChannelPage>
  /** Everything up to this event is known to the client, or missed. */
  begin(eventId: number): void
  /** Events are missing, and what follows comes after this one. */
  sayGap(eventId: number): void
  send(event: ChannelEvent): void
  fail(error: unknown): void
  isTemporary(error: unknown): boolean
  /** Whether the client is slow to take what it was sent. */
  isBlocked(): boolean
}

const RETRY_MS = 1_000

/**
 * A channel of one stream. It is handed what is published, and reads by itself what it was not there for: before it came,
 * while its rights were in doubt, or while its client was slow. Its position tells which of both is new.
 */
export class ChannelTopic extends JudgedTopic<ChannelRead> implements RoomListener {
  readonly asked: AskedChannel
  readonly #place: ChannelPlace
  #position: number | undefined
  /** What it follows now. */
  #joined: ChannelRead | undefined
  #membership: Membership | undefined
  /** There may be events that it was not handed. */
  #isBehind = false
  #isReading = false
  #retry: NodeJS.Timeout | undefined

  constructor(asked: AskedChannel, place: ChannelPlace) {
    super()
    this.asked = asked
    this.#place = place
  }

  get isJudged(): boolean {
    return this.#joined?.isJudged ?? false
  }

  receive(events: readonly ChannelEvent[]): void {
    // Under rights that are in doubt nothing is told; whoever joins again reads again.
    if (!this.#joined) return
    if (this.#isBehind || this.#isReading) this.fallBehind()
    else this.#passAll(events)
  }

  fallBehind(): void {
    this.#isBehind = true
    void this.#catchUp()
  }

  /** The client takes events again. */
  drained(): void {
    void this.#catchUp()
  }

  override end(): void {
    clearTimeout(this.#retry)
    this.#membership?.leave()
    super.end()
  }

  protected override planNow(): Promise<ChannelRead> {
    return this.#place.plan(this.asked)
  }

  protected override join(read: ChannelRead): () => void {
    const leave = this.#place.join(read, this)
    const stopWatching = read.shown ? this.#beSeen(read, read.shown) : undefined
    this.#joined = read
    this.fallBehind()
    return () => {
      this.#joined = undefined
      stopWatching?.()
      leave()
    }
  }

  // While its rights are judged again, it is still there.
  #beSeen(read: ChannelRead, shown: Shown): () => void {
    if (this.#membership) this.#membership.change(shown)
    else this.#membership = this.#place.enter(read, shown)
    return this.#place.watch(read)
  }

  protected override sayFailure(error: unknown): void {
    this.#place.fail(error)
  }

  protected override isTemporary(error: unknown): boolean {
    return this.#place.isTemporary(error)
  }

  async #catchUp(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#joined && this.#isBehind && !this.#place.isBlocked()) await this.#readOn(this.#joined)
    } catch (error) {
      this.#readLater(error)
    } finally {
      this.#isReading = false
    }
  }

  async #readOn(joined: ChannelRead): Promise<void> {
    this.#isBehind = false
    const isFirst = this.#position === undefined
    const page = await this.#place.read(joined, this.#position ?? this.asked.lastEventId)
    // As in `receive`.
    if (this.#joined !== joined) return
    if (isFirst) this.#place.begin(page.hasGap ? page.last : page.from)
    if (page.hasGap) this.#skipTo(page.last)
    else this.#show(page)
  }

  #skipTo(eventId: number): void {
    this.#position = eventId
    this.#place.sayGap(eventId)
  }

  #show({ from, events }: ChannelPage): void {
    this.#position ??= from
    this.#passAll(events)
    if (events.length === EVENTS_AT_ONCE) this.#isBehind = true
  }

  // What a slow client cannot take now is read again for it later.
  #passAll(events: readonly ChannelEvent[]): void {
    for (const event of events) {
      if (this.#place.isBlocked()) return void this.fallBehind()
      if (this.#position !== undefined && event.id <= this.#position) continue
      this.#position = event.id
      this.#place.send(event)
    }
  }

  #readLater(error: unknown): void {
    clearTimeout(this.#retry)
    if (this.isTemporary(error)) this.#retry = setTimeout(() => this.fallBehind(), RETRY_MS).unref()
    else this.fail(error)
  }
}
