import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import type { LiveEngine } from "../live-engine.ts"
import { ChannelMembers } from "../presence/channel-members.ts"
import { MembersViews } from "../presence/members-view.ts"
import type { Topic, TopicKind, TopicRequest } from "../topics/topic-kind.ts"
import type { TopicStream } from "../topics/topic-stream.ts"
import { type ChannelRequest, readChannelRequest } from "./channel-request.ts"
import { ChannelRooms } from "./channel-rooms.ts"
import { ChannelTopic } from "./channel-topic.ts"
import type { CompiledChannels } from "./compile-channels.ts"

const MEMBERS = { maxConnections: 1_000, message: "A room has at most 1000 connections with presence." }

interface ChannelSettings {
  readonly channels: CompiledChannels
  /** The maximum number of rooms whose events are read concurrently. */
  readonly maxConcurrentReads: number
}

/** The kind of topic that is a channel: its rooms, and their members. */
export class ChannelKind implements TopicKind<ChannelRequest> {
  readonly member = "channels"
  readonly read = readChannelRequest
  readonly #channels: CompiledChannels
  readonly #rooms: ChannelRooms
  readonly #members: ChannelMembers
  readonly #views: MembersViews

  constructor(engine: LiveEngine, { channels, maxConcurrentReads }: ChannelSettings) {
    this.#channels = channels
    this.#rooms = new ChannelRooms(engine, maxConcurrentReads)
    this.#members = new ChannelMembers(engine, MEMBERS)
    this.#views = new MembersViews(engine)
  }

  owns(request: TopicRequest): request is ChannelRequest {
    return request.kind === "channel"
  }

  keyOf(request: ChannelRequest): string {
    return JSON.stringify({ ...request, lastEventId: undefined })
  }

  open(request: ChannelRequest, stream: TopicStream): Topic {
    return new ChannelTopic(request, {
      stream,
      channels: this.#channels,
      rooms: this.#rooms,
      members: this.#members,
      views: this.#views,
    })
  }

  onChanges(changes: readonly CommittedChange[]): Promise<void> {
    this.#rooms.onChanges(changes)
    this.#views.onChanges(changes)
    return Promise.resolve()
  }

  onGap(): void {
    this.#rooms.refreshAll()
    this.#views.refreshAll()
  }

  /** Stores that no room member is connected to this process any more. */
  close(): Promise<void> {
    return this.#members.close()
  }
}
