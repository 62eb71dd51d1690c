import type { Transaction } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import type { OperationContext } from "./operation-context.ts"

/** The operation context of a write in an open transaction. */
export interface WriteContext extends OperationContext {
  readonly connection: Transaction
}

const MAX_HOOK_DEPTH = 10

/**
 * Builds the argument of a hook: the facts about the operation, and a handler context on the operation's connection.
 */
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

/** Builds the argument of a default function. Like a rule, it may run again when a failed write is retried. */
export function defaultContext(ctx: OperationContext, resource: Resource): HandlerContext {
  return ctx.handlerFor(ctx, () => withinHook(ctx, resource))
}

// Returns the context for operations that a hook calls. With `hasShortcuts` set to false, these operations use
// savepoints. The hook can then catch the error of a failed statement, which would otherwise abort the whole
// transaction.
function withinHook(ctx: OperationContext, resource: Resource): OperationContext {
  if (ctx.hookDepth >= MAX_HOOK_DEPTH) {
    throw new Error(
      `The hooks and defaults of "${resource.name}" were reached through ${MAX_HOOK_DEPTH} others. ` +
        "A hook or default that writes its own collection needs a condition that ends it.",
    )
  }
  return {
    ...ctx,
    hasShortcuts: false,
    hookDepth: ctx.hookDepth + 1,
    isNested: false,
    nestedWriteState: undefined,
    parentKey: undefined,
    valueSource: undefined,
  }
}

/** Like `hookContext`, but the argument of the hook also has `onAfterCommit`. */
export function writeHookContext<Facts extends object>(ctx: WriteContext, resource: Resource, facts: Facts) {
  return hookContext(ctx, resource, { ...facts, onAfterCommit: (work: () => unknown) => afterCommit(ctx, work) })
}

/** Returns the record that a hook has returned to replace its input; undefined if the hook has returned no record. */
export function returnedRecord(returned: unknown): Record<string, unknown> | undefined {
  // The cast is safe: the value is an object and not an array, and the type of its properties stays unknown.
  return typeof returned === "object" && returned !== null && !Array.isArray(returned)
    ? (returned as Record<string, unknown>)
    : undefined
}

// Runs `work` after the commit. An error in `work` is only logged: the write is committed, and the caller may already
// have the response.
function afterCommit({ connection, logger }: WriteContext, work: () => unknown): void {
  const run = async () => {
    await work()
  }
  connection.afterCommit(() => {
    run().catch((error: unknown) => logger.error("An onAfterCommit callback failed.", { error }))
  })
}
