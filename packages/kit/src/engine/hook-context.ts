import type { Transaction } from "../ports/database.ts"
import type { CallerSession, RegisteredCollections, RegisteredGlobals } from "../schema/register.ts"
import type { Resource } from "../schema/resource.ts"
import type { LocalApi } from "../wire/operations.ts"
import type { OperationContext } from "./operation-context.ts"

/** The context of a write whose transaction is open. */
export interface WriteContext extends OperationContext {
  readonly connection: Transaction
}

const MAX_HOOK_DEPTH = 10

/** The facts of the moment, and operations as the caller, on the same connection. */
export function hookContext<Facts extends object>(
  ctx: OperationContext,
  resource: Resource,
  facts: Facts,
): Facts & HookTools {
  let api: LocalApi | undefined
  const operations = () => {
    api ??= ctx.apiFor(withinHook(ctx, resource))
    return api
  }
  return {
    ...facts,
    // The generated types describe the very users, collections and globals that the schema was compiled from.
    session: ctx.session as unknown as CallerSession | null,
    get collections() {
      return operations().collections as unknown as RegisteredCollections
    },
    get globals() {
      return operations().globals as unknown as RegisteredGlobals
    },
  }
}

interface HookTools {
  readonly session: CallerSession | null
  readonly collections: RegisteredCollections
  readonly globals: RegisteredGlobals
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

// Whatever happens in it, the write is done and its caller has been told so.
function afterCommit({ connection, logger }: WriteContext, work: () => unknown): void {
  const run = async () => {
    await work()
  }
  connection.afterCommit(() => {
    run().catch((error: unknown) => logger.error("Work that waited for a commit failed.", { error }))
  })
}
