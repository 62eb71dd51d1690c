import type { CallOptions } from "../options/call-options.ts"

/** The types that a route's file declares for its input and its response. */
interface RouteTypes {
  readonly types: { readonly given: unknown; readonly answer: unknown }
}

/**
 * The type of the function that calls a route with a request body. If the route has no schema, the input can be
 * anything or can be omitted.
 */
export type RouteCall<Declaration extends RouteTypes> = (
  ...input: undefined extends Declaration["types"]["given"]
    ? [input?: Declaration["types"]["given"], options?: CallOptions]
    : [input: Declaration["types"]["given"], options?: CallOptions]
) => Promise<Declaration["types"]["answer"]>

/**
 * The type of the function that calls a GET route. The input is an object, and can be omitted if all its members are
 * optional.
 */
export type RouteQuery<Declaration extends RouteTypes> = (
  ...input: Record<never, never> extends Declaration["types"]["given"]
    ? [input?: Declaration["types"]["given"], options?: CallOptions]
    : [input: Declaration["types"]["given"], options?: CallOptions]
) => Promise<Declaration["types"]["answer"]>

/** A route path below `client.routes`. Its `url` can be read without calling the route. */
export interface RoutePath {
  readonly url: string
}

/**
 * A route path without generated types. It can be called, every name continues the path, and a name that begins with
 * `$` takes the value of a path parameter.
 */
export type UntypedRoute = { readonly [name: `$${string}`]: (value: unknown) => UntypedRoute } & {
  (input?: unknown, options?: CallOptions): Promise<unknown>
  readonly [name: string]: UntypedRoute
} & RoutePath
