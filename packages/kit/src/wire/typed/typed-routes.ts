import type { CallOptions } from "../options/call-options.ts"

/** What a route's file says about its calls. */
interface RouteTypes {
  readonly types: { readonly given: unknown; readonly answer: unknown }
}

/** A call of a route that takes a body. Without a schema anything can be given, also nothing. */
export type RouteCall<Declaration extends RouteTypes> = (
  ...input: undefined extends Declaration["types"]["given"]
    ? [input?: Declaration["types"]["given"], options?: CallOptions]
    : [input: Declaration["types"]["given"], options?: CallOptions]
) => Promise<Declaration["types"]["answer"]>

/** A call of a GET route: its input is an object, which may be left out when every member may. */
export type RouteQuery<Declaration extends RouteTypes> = (
  ...input: Record<never, never> extends Declaration["types"]["given"]
    ? [input?: Declaration["types"]["given"], options?: CallOptions]
    : [input: Declaration["types"]["given"], options?: CallOptions]
) => Promise<Declaration["types"]["answer"]>

/** A place below `client.routes`; its `url` is known without a call. */
export interface RoutePlace {
  readonly url: string
}

/** A place of which no types are known: it can be called, leads on under every name, and takes a value after a `$`. */
export type UntypedRoute = { readonly [name: `$${string}`]: (value: unknown) => UntypedRoute } & {
  (input?: unknown, options?: CallOptions): Promise<unknown>
  readonly [name: string]: UntypedRoute
} & RoutePlace
