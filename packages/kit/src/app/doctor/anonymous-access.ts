import { evaluateAccess } from "../../engine/access/authorize.ts"
import { inStage } from "../../engine/access/stage.ts"
import { NO_OPTIONS } from "../../engine/context/read-options.ts"
import type { CompiledRoute } from "../../features/routes/compile-routes.ts"
import { mayCall } from "../../features/routes/run-route.ts"
import type { AppSchema, Resource } from "../../schema/compile/resource.ts"
import { withoutRequest } from "./without-request.ts"

/**
 * The right of a caller without a session. It is `unknown` if the rule uses more of its context than the session, such
 * as the database or a service, because the result then depends on the moment of the request.
 */
type AnonymousRight = "all" | "some" | "none" | "unknown"

/** The records of a resource that a caller without a session may read. */
export interface AnonymousRead {
  readonly right: AnonymousRight
  /** The public stage, if the caller reads the copies in that stage instead of the working copies. */
  readonly stage?: string | undefined
}

/** Evaluates the read rule of the resource for a caller without a session, as a request for its records does. */
export async function anonymousRead(schema: AppSchema, resource: Resource): Promise<AnonymousRead> {
  const read = await withoutRequest(schema, async (outer) => {
    const staged = await inStage(outer, resource, NO_OPTIONS)
    const access = await evaluateAccess(staged.ctx, staged.resource, { operation: "read" })
    const stage = staged.resource.working ? resource.workflow?.public : undefined
    return { right: RIGHTS[access.kind], stage }
  })
  return read ?? { right: "unknown" }
}

const RIGHTS = { allow: "all", where: "some", deny: "none" } as const

/** Evaluates the rule of the route for a caller without a session, as a call of the route does. */
export async function anonymousCall(schema: AppSchema, route: CompiledRoute): Promise<AnonymousRight> {
  const isAllowed = await withoutRequest(schema, (ctx, { unavailable }) =>
    mayCall(route, { ctx, params: unavailable(), request: unavailable }),
  )
  if (isAllowed === undefined) return "unknown"
  return isAllowed ? "all" : "none"
}
