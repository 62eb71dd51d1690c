import { inListedLocale } from "../../engine/context/locale.ts"
import type { CompiledRoute } from "../../features/routes/compile-routes.ts"
import { mayCall, runRoute } from "../../features/routes/run-route.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { Endpoint, EndpointCall } from "../endpoint.ts"

/** Returns an endpoint for each route that the author declared. */
export function customEndpoints(routes: readonly CompiledRoute[]): readonly Endpoint[] {
  return routes.map((route) => ({
    method: route.definition.method,
    path: route.pattern,
    // The author's code decides what a body means.
    takesBody: true,
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

// Returns the context in the locale that the option "locale" names. An unknown value is ignored, because the route may
// use that option name for its own input.
function routeContext(call: EndpointCall) {
  const { callerCtx, incoming } = call
  const hasNoLocaleOption = incoming.query === "" || callerCtx.schema.locales.all.length === 1
  return hasNoLocaleOption ? callerCtx : inListedLocale(callerCtx, call.options().options["locale"])
}

// True if the body exceeded its length limit. The author's code reads the body, so the body stream's error is thrown
// from the author's code.
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "BODY_TOO_LARGE"
}
