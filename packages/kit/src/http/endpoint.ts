import type { OperationContext } from "../engine/context/operation-context.ts"
import type { UncheckedOptions } from "../engine/context/read-options.ts"
import type { Answer, JsonAnswer } from "../engine/read/answer.ts"
import type { RouteAnswer } from "../features/routes/run-route.ts"
import type { IncomingCall, OpenBody } from "../ports/http.ts"

/** A request on its way through an endpoint. */
export interface EndpointCall {
  /** In the locale that the query string names. */
  readonly ctx: OperationContext
  /** In the locale that the caller prefers. */
  readonly callerCtx: OperationContext
  /** The variable segments of the path, by name. */
  readonly params: Readonly<Record<string, string>>
  /** The query string as options; read once, on demand. */
  options(): UncheckedOptions
  header(name: string): string | null
  /** The request as it came in. */
  readonly incoming: IncomingCall
  /** The JSON body; read once, on demand. */
  body(): Promise<unknown>
  /** As `body`, for paths that take many records at once. */
  bulkBody(): Promise<unknown>
  /** As `body`, plain JSON whatever the headers say. */
  plainBody(): Promise<unknown>
  /** As `body`, or undefined where there is none. */
  optionalBody(): Promise<unknown>
  /** The call as web-standard code knows it; a raw body may be longer than one of JSON. */
  request(body: "json" | "raw"): Request
}

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE"

/** An answer that goes on as a stream of events. */
interface EventsAnswer {
  readonly events: OpenBody
}

export type EndpointAnswer = Answer<unknown> | JsonAnswer | RouteAnswer | EventsAnswer

/** A row of the API: a method and a path, and what answers there. */
export interface Endpoint {
  readonly method: Method
  readonly path: string
  /** Whether there is something at the path with these parameters; always, unless set. */
  isThere?(params: EndpointCall["params"]): boolean
  /** It reads records: its answer has a greatest length, and as of every GET, its reads are cancelled when the caller has left. */
  readonly isRead?: true
  /** Whether the caller of another path, which leads nowhere, may be told of this one; always, unless set. */
  mayBeTold?(call: EndpointCall): boolean | Promise<boolean>
  run(call: EndpointCall): EndpointAnswer | Promise<EndpointAnswer>
}
