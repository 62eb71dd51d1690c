import type { LiveRead } from "../../../engine/operations/live.ts"
import type { Connection } from "../../../ports/database.ts"
import type { HeaderReader, Session } from "../../../ports/session-provider.ts"
import type { NotedChange } from "../../../sql/changes/read-changes.ts"
import type { ChannelRead } from "../channels/channel-topic.ts"
import type { ByteBudget } from "../queries/snapshot-cache.ts"
import type { AskedChannel, AskedTopic } from "../topics/read-topics.ts"
import type { Listener } from "./live-stream.ts"

/** What live queries need of the app that they are part of. */
export interface StreamsParts {
  readonly connection: Connection
  /** Names this process among those of the app. */
  readonly instance: string
  /** How many queries may be run at once. */
  readonly queriesAtOnce: number
  /** Of the snapshots that are kept for newcomers, and again of those that slow clients have not taken. */
  readonly snapshotBytes: ByteBudget
  /** Whether sessions are those of users whose changes are told. */
  readonly areSessionsFollowed: boolean
  /** Judges the rights of the listener, and checks what the topic asks for. */
  plan(listener: Listener, topic: AskedTopic): Promise<LiveRead>
  /** Judges whether the listener may follow the channel. */
  planChannel(listener: Listener, channel: AskedChannel): Promise<ChannelRead>
  /** The answer as JSON, in the form that the listener takes. */
  run(listener: Listener, read: LiveRead, onRead: (resource: string) => void): Promise<string>
  readSession(headers: HeaderReader): Promise<Session | null>
  /** Whether the change is about somebody who can sign in. */
  isOfUser(change: NotedChange): boolean
  /** The sessions of these users are read anew from now on. */
  forgetSessions(userIds: ReadonlySet<string>): void
  isTemporary(error: unknown): boolean
  onError(error: unknown): void
  /** Hears of the changes after the streams. */
  onChanges(changes: readonly NotedChange[]): void
  /** Somebody listens from now on. */
  onOpened(): void
}
