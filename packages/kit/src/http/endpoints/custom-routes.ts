import { inListedLocale } from "../../engine/context/locale.ts"
import type { CompiledRoute } from "../../features/routes/compile-routes.ts"
import { mayCall, runRoute } from "../../features/routes/run-route.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"

/** Returns the author's routes as endpoints. */
export function customEndpoints(routes: readonly CompiledRoute[]): readonly Endpoint[] {
  return routes.map((route) => ({
    method: route.definition.method,
    path: route.pattern,
    maySuggest: (call) => mayCall(route, { ctx: call.callerCtx, params: {}, request: () => call.request("raw") }),
    run: route.definition.isRaw ? (call) => runRaw(route, call) : (call) => runJson(route, call),
  }))
}

function runJson(route: CompiledRoute, call: EndpointCall) {
  const { params } = call
  const ctx = routeContext(call)
  const input = route.definition.method === "GET" ? () => call.options().options : () => call.optionalBody()
  return runRoute(route, { ctx, params, input, request: () => call.request("json") })
}

async function runRaw(route: CompiledRoute, call: EndpointCall) {
  const { params } = call
  const ctx = routeContext(call)
  try {
    return await runRoute(route, { ctx, params, input: () => undefined, request: () => call.request("raw") })
  } catch (error) {
    throw isTooLarge(error) ? new ApiError("PAYLOAD_TOO_LARGE", { cause: error }) : error
  }
}

// Sets the locale from the option "locale", but ignores unknown values: the route may use that name for its own input.
function routeContext(call: EndpointCall) {
  const { callerCtx, incoming } = call
  const hasNoLocaleOption = incoming.query === "" || callerCtx.schema.locales.all.length === 1
  return hasNoLocaleOption ? callerCtx : inListedLocale(callerCtx, call.options().options["locale"])
}

// The author's code reads the body, so the error of the body stream comes out of the author's code.
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "BODY_TOO_LARGE"
}
