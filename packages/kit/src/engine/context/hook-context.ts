import type { Transaction } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import type { OperationContext } from "./operation-context.ts"

/** The context of a write in an open transaction. */
export interface WriteContext extends OperationContext {
  readonly connection: Transaction
}

const MAX_HOOK_DEPTH = 10

/** Builds the argument of a hook: the facts about the operation, and the handler context on the same connection. */
export function hookContext<Facts extends object>(
  ctx: OperationContext,
  resource: Resource,
  facts: Facts,
): Facts & HandlerContext {
  if (ctx.attempt) ctx.attempt.hasRunHooks = true
  return Object.assign(
    ctx.handlerFor(ctx, () => withinHook(ctx, resource)),
    facts,
  )
}

// An error in a statement would abort the whole transaction. Without shortcuts, operations use savepoints, so that a
// hook can catch the error.
function withinHook(ctx: OperationContext, resource: Resource): OperationContext {
  if (ctx.hookDepth >= MAX_HOOK_DEPTH) {
    throw new Error(
      `The hooks of "${resource.name}" were reached through ${MAX_HOOK_DEPTH} other hooks. ` +
        "A hook that writes its own collection needs a condition that ends it.",
    )
  }
  return {
    ...ctx,
    hasShortcuts: false,
    hookDepth: ctx.hookDepth + 1,
    isNested: false,
    nestedWriteState: undefined,
    parentKey: undefined,
  }
}

/** Like `hookContext`, with `onAfterCommit`. */
export function writeHookContext<Facts extends object>(ctx: WriteContext, resource: Resource, facts: Facts) {
  return hookContext(ctx, resource, { ...facts, onAfterCommit: (work: () => unknown) => afterCommit(ctx, work) })
}

/** Returns the record with which a hook replaces its input; undefined if the hook returned none. */
export function returnedRecord(returned: unknown): Record<string, unknown> | undefined {
  // Narrowed to an object that is not an array; its properties stay unknown.
  return typeof returned === "object" && returned !== null && !Array.isArray(returned)
    ? (returned as Record<string, unknown>)
    : undefined
}

// An error of the callback is only logged: the write is committed, and its caller may already have the answer.
function afterCommit({ connection, logger }: WriteContext, work: () => unknown): void {
  const run = async () => {
    await work()
  }
  connection.afterCommit(() => {
    run().catch((error: unknown) => logger.error("An onAfterCommit callback failed.", { error }))
  })
}
