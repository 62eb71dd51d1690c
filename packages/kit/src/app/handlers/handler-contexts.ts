import type { HandlerContextMaker, OperationContext } from "../../engine/context/operation-context.ts"
import type { Connection } from "../../ports/database.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"

/** Makes the contexts of an app's handlers. This file imports no query builder, because public types refer to it. */
export interface HandlerContexts {
  readonly handlerFor: HandlerContextMaker
  /**
   * Returns the context for a job's handler. When a transaction that the handler opens commits, the job is completed
   * too.
   */
  jobFor(ctx: OperationContext, opener: TransactionOpener): HandlerContext
  /** Disposes the services that live as long as the app. */
  dispose(): Promise<void>
}

/** The connection that opens the transactions of a job's handler. */
export type TransactionOpener = Pick<Connection, "transaction">
