import type { Transaction } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import type { OperationContext } from "./operation-context.ts"

/** The context of a write whose transaction is open. */
export interface WriteContext extends OperationContext {
  readonly connection: Transaction
}

const MAX_HOOK_DEPTH = 10

/** The facts of the moment, and everything a handler has, on the same connection. */
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

// A refused statement would end the whole transaction. The general path has savepoints, so that a hook may catch it.
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
    related: undefined,
    parent: undefined,
  }
}

/** As `hookContext`, with a way to wait for the commit. */
export function writeHookContext<Facts extends object>(ctx: WriteContext, resource: Resource, facts: Facts) {
  return hookContext(ctx, resource, { ...facts, onAfterCommit: (work: () => unknown) => afterCommit(ctx, work) })
}

/** The record that a hook has returned in place of the one it was given; undefined when it returned none. */
export function returnedRecord(returned: unknown): Record<string, unknown> | undefined {
  // Narrowed to an object that is no list; its properties stay unknown.
  return typeof returned === "object" && returned !== null && !Array.isArray(returned)
    ? (returned as Record<string, unknown>)
    : undefined
}

// Whatever happens in it, the write is done and its caller has been told so.
function afterCommit({ connection, logger }: WriteContext, work: () => unknown): void {
  const run = async () => {
    await work()
  }
  connection.afterCommit(() => {
    run().catch((error: unknown) => logger.error("Work that waited for a commit failed.", { error }))
  })
}
