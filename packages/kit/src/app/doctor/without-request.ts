import { setTimeout as delay } from "node:timers/promises"
import type { OperationContext } from "../../engine/context/operation-context.ts"
import { DEFAULT_SEARCH } from "../../engine/context/search-services.ts"
import { createEngine } from "../../engine/engine.ts"
import type { Logger } from "../../ports/logger.ts"
import type { Session } from "../../ports/session-provider.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { HandlerContext } from "../../schema/context/handler-context.ts"
import { DEFAULT_FILTER_LIMITS } from "../../sql/filter/filter-cost.ts"

// A rule that takes longer than this waits for something outside of it.
const RULE_TIMEOUT_MS = 1_000

/** Makes objects that stand for the parts of a request. Using one in any way throws, and is remembered. */
interface Substitutes {
  unavailable<Value extends object>(): Value
}

/**
 * Evaluates rules while there is no request and no database, for a caller without a session unless one is given. Returns
 * undefined if a rule uses more of its context than the session and the locale, or does not finish, because its result
 * is then not known.
 */
export async function withoutRequest<Result>(
  schema: AppSchema,
  evaluate: (ctx: OperationContext, substitutes: Substitutes) => Promise<Result>,
  session: Session | null = null,
): Promise<Result | undefined> {
  let isUsed = false
  const substitutes = substitutesThat(() => {
    isUsed = true
  })
  const finished = new AbortController()
  const timeout = delay(RULE_TIMEOUT_MS, undefined, { signal: finished.signal }).catch(() => undefined)
  try {
    const ctx = contextWithoutRequest(schema, substitutes, session)
    const result = await Promise.race([evaluate(ctx, substitutes), timeout])
    return isUsed ? undefined : result
  } finally {
    finished.abort()
  }
}

function contextWithoutRequest(
  schema: AppSchema,
  { unavailable }: Substitutes,
  session: Session | null,
): OperationContext {
  const engine = createEngine({
    schema,
    tables: { requireUsable: () => {} },
    checkInBackground: () => {},
    database: unavailable(),
    logger: SILENT,
    hasShortcuts: true,
    returnsOldRows: true,
    filterLimits: DEFAULT_FILTER_LIMITS,
    now: () => new Date(),
    dueNow: () => null,
    maxAnswerBytes: 0,
    handlerFor: ({ session, locale, logger }) => authorContext({ session, locale, logger }, { unavailable }),
    scheduleTransition: unavailable(),
    search: DEFAULT_SEARCH,
    secret: unavailable(),
  })
  return engine.contextFor(session)
}

// A rule that fails for a caller without a session denies that caller. The request that meets it logs the error.
const SILENT: Logger = { info: () => {}, warn: () => {}, error: () => {} }

// The members that a rule may read although they are not set: they are absent in a request for a list, too.
const ABSENT: readonly PropertyKey[] = ["id", "input", "stage"]

// Authors destructure the context, so reading a member is allowed. Only the use of the member counts.
function authorContext(known: object, { unavailable }: Substitutes): HandlerContext {
  // The cast is safe: the proxy has a substitute for every member that `known` lacks.
  return new Proxy(known, {
    get: (members, name) => {
      if (name in members || typeof name === "symbol") return Reflect.get(members, name)
      return ABSENT.includes(name) ? undefined : unavailable()
    },
  }) as HandlerContext
}

function substitutesThat(onUse: () => void): Substitutes {
  const refuse = (): never => {
    onUse()
    throw new Error("There is no request.")
  }
  const traps = { get: refuse, has: refuse, apply: refuse, construct: refuse, ownKeys: refuse, set: refuse }
  return {
    // The cast is safe: no property of the value can be read, so nothing depends on its type.
    unavailable: <Value extends object>() => new Proxy(() => {}, traps) as unknown as Value,
  }
}
