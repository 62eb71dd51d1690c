import { evaluateAccess } from "../../engine/access/authorize.ts"
import type { OperationContext } from "../../engine/context/operation-context.ts"
import type { CompiledRoute } from "../../features/routes/compile-routes.ts"
import { mayCall } from "../../features/routes/run-route.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import type { EndpointCall } from "../endpoint.ts"

/** The people who may read a resource or call a route, seen from the person who looks at the page. */
export type Audience = "anyone" | "you" | "someRecords" | "signIn" | "others" | "nobody"

/** True if the person who looks at the page gets an answer rather than an error. */
export function isIncluded(audience: Audience): boolean {
  return audience === "anyone" || audience === "you" || audience === "someRecords"
}

/** Evaluates the read rule of the resource for the caller. */
export async function audienceOf(ctx: OperationContext, resource: Resource): Promise<Audience> {
  const { read } = resource.access
  if (read === undefined || read === false) return "nobody"
  const { kind } = await evaluateAccess(ctx, resource, { operation: "read" })
  return kind === "where" ? "someRecords" : audienceFor(ctx, kind === "allow", read === true)
}

/** Evaluates the rule of the route for the caller, without the input. */
export async function routeAudience(call: EndpointCall, route: CompiledRoute): Promise<Audience> {
  const { callerCtx: ctx } = call
  const { access = true } = route.definition
  const isAllowed = await mayCall(route, { ctx, params: {}, request: () => call.request("raw") })
  return audienceFor(ctx, isAllowed, access === true)
}

function audienceFor({ session }: OperationContext, isAllowed: boolean, isOpen: boolean): Audience {
  if (isOpen || (isAllowed && session === null)) return "anyone"
  if (isAllowed) return "you"
  return session === null ? "signIn" : "others"
}
