import type { LiveRead } from "../../../engine/operations/live.ts"
import type { Connection } from "../../../ports/database.ts"
import type { HeaderReader, Session } from "../../../ports/session-provider.ts"
import type { CommittedChange } from "../../../sql/changes/read-changes.ts"
import type { ChannelPermission } from "../channels/channel-topic.ts"
import type { ByteBudget } from "../queries/snapshot-cache.ts"
import type { ChannelTopicRequest, LiveTopicRequest } from "../topics/read-topics.ts"
import type { StreamClient } from "./live-stream.ts"

/** The functions and settings that `LiveStreams` needs. */
export interface StreamsDependencies {
  readonly connection: Connection
  /** The id of this process, unique among the processes of the app. */
  readonly instance: string
  /** The maximum number of live queries that run concurrently. */
  readonly maxConcurrentQueries: number
  /**
   * The byte budget for the snapshots cached for new subscribers. Snapshots that slow clients have not read have a
   * second budget of the same size.
   */
  readonly snapshotBytes: ByteBudget
  /** True if the change feed reports changes to the users that sessions belong to. */
  readonly reportsSessionChanges: boolean
  /** Evaluates the rules for the client, and checks the topic's options. */
  plan(listener: StreamClient, topic: LiveTopicRequest): Promise<LiveRead>
  /** Evaluates the rule that lets the client subscribe to the channel. */
  planChannel(listener: StreamClient, channel: ChannelTopicRequest): Promise<ChannelPermission>
  /** Runs the live query and returns its result as JSON text, plain or extended as the client requests. */
  run(listener: StreamClient, read: LiveRead, onRead: (resource: string) => void): Promise<string>
  readSession(headers: HeaderReader): Promise<Session | null>
  /** True if the changed record is a user who can sign in. */
  isOfUser(change: CommittedChange): boolean
  /** Drops the cached sessions of these users. */
  forgetSessions(userIds: ReadonlySet<string>): void
  isTemporary(error: unknown): boolean
  onError(error: unknown): void
  /** Called with the committed changes after the streams have handled them. */
  onChanges(changes: readonly CommittedChange[]): void
  /** Called when a stream has been opened. */
  onOpened(): void
}
