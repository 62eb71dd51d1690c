import type { LiveRead } from "../../../engine/operations/live.ts"
import type { Connection } from "../../../ports/database.ts"
import type { HeaderReader, Session } from "../../../ports/session-provider.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import type { ChannelPermission } from "../channels/channel-topic.ts"
import type { ByteBudget } from "../queries/snapshot-cache.ts"
import type { ChannelTopicRequest, LiveTopicRequest } from "../topics/read-topics.ts"
import type { StreamClient } from "./live-stream.ts"

/** The dependencies of `LiveStreams`. */
export interface StreamsDependencies {
  readonly connection: Connection
  /** The id of this process among those of the app. */
  readonly instance: string
  /** The number of queries that may run concurrently. */
  readonly maxConcurrentQueries: number
  /** The budget of the snapshots cached for new subscribers, and again of those that slow clients have not read. */
  readonly snapshotBytes: ByteBudget
  /** True if sessions belong to users whose changes the feed reports. */
  readonly reportsSessionChanges: boolean
  /** Evaluates the rules for the listener, and checks the options of the topic. */
  plan(listener: StreamClient, topic: LiveTopicRequest): Promise<LiveRead>
  /** Evaluates the rule that lets the listener follow the channel. */
  planChannel(listener: StreamClient, channel: ChannelTopicRequest): Promise<ChannelPermission>
  /** Returns the result as JSON, in the format that the listener accepts. */
  run(listener: StreamClient, read: LiveRead, onRead: (resource: string) => void): Promise<string>
  readSession(headers: HeaderReader): Promise<Session | null>
  /** True if the change is to a user who can sign in. */
  isOfUser(change: CommittedChange): boolean
  /** Drops the cached sessions of these users. */
  forgetSessions(userIds: ReadonlySet<string>): void
  isTemporary(error: unknown): boolean
  onError(error: unknown): void
  /** Called with the changes after the streams have handled them. */
  onChanges(changes: readonly CommittedChange[]): void
  /** Called when a stream has been opened. */
  onOpened(): void
}
