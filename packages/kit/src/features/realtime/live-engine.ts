import type { OperationContext } from "../../engine/context/operation-context.ts"
import type { Connection } from "../../ports/database.ts"
import type { MessageBus } from "../../ports/message-bus.ts"
import type { HeaderReader, Session } from "../../ports/session-provider.ts"
import type { StreamClient } from "./stream-client.ts"

/** Everything that realtime needs from the rest of the app. All of its parts share this one object. */
export interface LiveEngine {
  /** The id of this process, unique among the processes of the app. */
  readonly instance: string
  /** False if every event is to be made and sent for one subscriber at a time, without the shortcuts for many. */
  readonly hasShortcuts: boolean
  readonly connection: Connection
  readonly bus: MessageBus
  /** Runs a task with the rights and in the locale of the client. */
  runAs<Result>(client: StreamClient, task: (ctx: OperationContext) => Promise<Result>): Promise<Result>
  readSession(headers: HeaderReader): Promise<Session | null>
  /**
   * True if the change feed reports changes to the users that sessions belong to. Otherwise a stream has to poll its
   * session.
   */
  readonly reportsSessionChanges: boolean
  /** Drops the cached sessions of these users. */
  forgetSessions(userIds: ReadonlySet<string>): void
  /** True if the error is temporary, so that a retry may succeed. */
  isTemporary(error: unknown): boolean
  onError(error: unknown): void
}
