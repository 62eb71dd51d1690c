import type { OperationContext } from "../engine/context/operation-context.ts"
import type { UncheckedOptions } from "../engine/context/read-options.ts"
import type { Answer, JsonAnswer } from "../engine/read/answer.ts"
import type { RouteAnswer } from "../features/routes/run-route.ts"
import type { IncomingCall, OpenBody } from "../ports/http.ts"

/** A request as its endpoint receives it. */
export interface EndpointCall {
  /** The operation context, in the locale that the query string names. */
  readonly ctx: OperationContext
  /** The operation context, in the locale that best fits the request's Accept-Language header. */
  readonly callerCtx: OperationContext
  /** The values of the variable URL path segments, such as `:id`, by name. */
  readonly params: Readonly<Record<string, string>>
  /** Returns the options in the query string. The query string is parsed once, on first use. */
  options(): UncheckedOptions
  header(name: string): string | null
  /** The request as the host received it. */
  readonly incoming: IncomingCall
  /** Reads and parses the JSON body of the request. The body can be read only once. */
  body(): Promise<unknown>
  /** Like `body`, with the higher length limit for endpoints that take many records in one request. */
  bulkBody(): Promise<unknown>
  /** Like `body`, but the body is always plain JSON: the header for extended JSON is ignored. */
  plainBody(): Promise<unknown>
  /** Like `body`, but resolves to undefined if the request has no body. */
  optionalBody(): Promise<unknown>
  /** Reads the body of a request whose content type is `application/octet-stream`. */
  binaryBody(maxBytes: number): Promise<Uint8Array>
  /**
   * Returns the call as a web-standard `Request`. The length limit for a raw body is higher than the limit for a JSON
   * body.
   */
  request(body: "json" | "raw"): Request
}

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE"

/** A result that is sent as a stream of server-sent events. */
interface EventsAnswer {
  readonly events: OpenBody
}

export type EndpointAnswer = Answer<unknown> | JsonAnswer | RouteAnswer | EventsAnswer

/** An HTTP method and URL path of the API, with the function that handles requests to it. */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  /** True if the path exists with these parameter values. An endpoint without this function exists for all values. */
  exists?(params: EndpointCall["params"]): boolean
  /**
   * True if the endpoint reads records. Its responses then have a maximum length and, as with every GET, its reads are
   * cancelled if the caller disconnects.
   */
  readonly isRead?: true
  /** True if a live query can have the result of the endpoint. The caller may then request the hash of the result. */
  readonly isWatchable?: true
  /**
   * True if the endpoint describes the app. Its responses have an entity tag, so that a caller can ask whether they have
   * changed.
   */
  readonly isDescription?: true
  /**
   * True if long responses of the endpoint may be compressed. Never for endpoints whose responses contain credentials:
   * the length of a compressed response depends on its content.
   */
  readonly mayCompress?: true
  /**
   * True if the endpoint serves public files, which are the same for every caller. The session of a request is not read,
   * and files that were found do not belong in the log.
   */
  readonly isFile?: true
  /**
   * True if the endpoint reads the body of its requests. All other endpoints refuse a body, so that nothing in it is
   * ignored.
   */
  readonly takesBody?: boolean
  /** True if monitoring requests the endpoint often, so that its requests do not belong in the log. */
  readonly isProbe?: true
  /**
   * Returns the path as the log shows it, such as `/posts/:id`, or undefined if the path does not exist. Without this
   * function the log shows `path`. The result contains no values of callers, which may be secret.
   */
  loggedPath?(params: EndpointCall["params"]): string | undefined
  /**
   * True if the error for an unknown path may suggest this endpoint's path to the caller. An endpoint without this
   * function may always be suggested.
   */
  maySuggest?(call: EndpointCall): Promise<boolean>
  run(call: EndpointCall): EndpointAnswer | Promise<EndpointAnswer>
}
