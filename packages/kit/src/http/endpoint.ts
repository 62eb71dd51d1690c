import type { OperationContext } from "../engine/context/operation-context.ts"
import type { UncheckedOptions } from "../engine/context/read-options.ts"
import type { Answer, JsonAnswer } from "../engine/read/answer.ts"
import type { RouteAnswer } from "../features/routes/run-route.ts"
import type { IncomingCall, OpenBody } from "../ports/http.ts"

/** A request as its endpoint sees it. */
export interface EndpointCall {
  /** The context in the locale that the query string names. */
  readonly ctx: OperationContext
  /** The context in the locale that the caller prefers (Accept-Language). */
  readonly callerCtx: OperationContext
  /** The variable segments of the path, by name. */
  readonly params: Readonly<Record<string, string>>
  /** The query string as options. It is parsed once, on first use. */
  options(): UncheckedOptions
  header(name: string): string | null
  /** The request as it came in. */
  readonly incoming: IncomingCall
  /** The JSON body. It is read once, on first use. */
  body(): Promise<unknown>
  /** As `body`, for paths that take many records in one request. */
  bulkBody(): Promise<unknown>
  /** As `body`, but always plain JSON: the header for extended JSON is ignored. */
  plainBody(): Promise<unknown>
  /** As `body`, or undefined if the request has no body. */
  optionalBody(): Promise<unknown>
  /** The call as a web-standard `Request`. The limit for raw bodies is higher than the limit for JSON. */
  request(body: "json" | "raw"): Request
}

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE"

/** An answer that is a stream of server-sent events. */
interface EventsAnswer {
  readonly events: OpenBody
}

export type EndpointAnswer = Answer<unknown> | JsonAnswer | RouteAnswer | EventsAnswer

/** One method and path of the API, with the function that answers there. */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  /** True if the path exists with these parameters. Without this function it always exists. */
  exists?(params: EndpointCall["params"]): boolean
  /** Reads records. The answer has a maximum length and, as with any GET, reads are cancelled if the caller leaves. */
  readonly isRead?: true
  /** True if the error for an unknown path may suggest this path to the caller. Without this function it always may. */
  maySuggest?(call: EndpointCall): boolean | Promise<boolean>
  run(call: EndpointCall): EndpointAnswer | Promise<EndpointAnswer>
}
