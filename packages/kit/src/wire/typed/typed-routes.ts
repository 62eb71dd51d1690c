import type { CallOptions } from "../options/call-options.ts"

/** The types that a route's file declares. */
interface RouteTypes {
  readonly types: { readonly given: unknown; readonly answer: unknown }
}

/** A call of a route that takes a body. Without a schema, the input can be anything, or omitted. */
export type RouteCall<Declaration extends RouteTypes> = (
  ...input: undefined extends Declaration["types"]["given"]
    ? [input?: Declaration["types"]["given"], options?: CallOptions]
    : [input: Declaration["types"]["given"], options?: CallOptions]
) => Promise<Declaration["types"]["answer"]>

/** A call of a GET route. Its input is an object, which may be omitted if all its members are optional. */
export type RouteQuery<Declaration extends RouteTypes> = (
  ...input: Record<never, never> extends Declaration["types"]["given"]
    ? [input?: Declaration["types"]["given"], options?: CallOptions]
    : [input: Declaration["types"]["given"], options?: CallOptions]
) => Promise<Declaration["types"]["answer"]>

/** A path below `client.routes`; its `url` can be read without a call. */
export interface RoutePath {
  readonly url: string
}

/**
 * A path without known types: it can be called, continues under every name, and takes a parameter's value after a `$`.
 */
export type UntypedRoute = { readonly [name: `$${string}`]: (value: unknown) => UntypedRoute } & {
  (input?: unknown, options?: CallOptions): Promise<unknown>
  readonly [name: string]: UntypedRoute
} & RoutePath
