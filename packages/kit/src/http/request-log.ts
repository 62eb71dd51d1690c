import type { IncomingCall, OutgoingAnswer } from "../ports/http.ts"
import type { Logger } from "../ports/logger.ts"
import { whenReady } from "../schema/context/when-ready.ts"
import { loggedPath, type Route } from "./router.ts"

const REQUEST_COMPLETED = "Request completed."
const REQUEST_ABORTED = "Request aborted: the client disconnected before it had the whole response."

const MIN_REFUSED_STATUS = 400
const MIN_FAILURE_STATUS = 500

/** The facts about a request that only its handler knows. */
interface RequestFacts {
  readonly requestId: string
  /** The route of the request. Undefined if there is none. */
  readonly route: Route | undefined
  /** The signed-in user. Undefined for an anonymous caller. */
  readonly userId: string | undefined
}

/** A response with the facts about its request. They are absent if the request was refused before it was routed. */
export interface LoggedAnswer extends OutgoingAnswer {
  readonly facts?: RequestFacts
}

export type LoggedHandler = (call: IncomingCall) => LoggedAnswer | Promise<LoggedAnswer>

interface RequestLogOptions {
  readonly logger: Logger
  /** The share of requests that are logged, above 0 and up to 1. Failures of the server are always logged. */
  readonly sample: number
  /** True in development: a path that has no route is shown as it was sent, so that the developer sees the mistake. */
  readonly showsUnknownPaths: boolean
}

/** Returns the handler with a log line for each request, which is written when the response has been sent. */
export function logRequests(handle: LoggedHandler, options: RequestLogOptions): LoggedHandler {
  return (call) => {
    const startedAt = performance.now()
    return whenReady(handle(call), (answer) => {
      if (!isSampled(options, answer)) return answer
      return { ...answer, onClosed: (isComplete) => writeLine(options, { call, answer, startedAt, isComplete }) }
    })
  }
}

function isSampled({ sample }: RequestLogOptions, { status }: LoggedAnswer): boolean {
  return sample === 1 || status >= MIN_FAILURE_STATUS || Math.random() < sample
}

interface EndedRequest {
  readonly call: IncomingCall
  readonly answer: LoggedAnswer
  readonly startedAt: number
  /** False if the client left before it had the whole response. */
  readonly isComplete: boolean
}

function writeLine(options: RequestLogOptions, request: EndedRequest): void {
  const { logger } = options
  const message = request.isComplete ? REQUEST_COMPLETED : REQUEST_ABORTED
  const fields = requestFields(options, request)
  if (isNoise(request)) logger.debug?.(message, fields)
  else logger.info(message, fields)
}

// True for requests that come often and say little: the probes of a load balancer, the preflights of browsers, and the
// files of a web page.
function isNoise({ call: { method }, answer: { status, facts } }: EndedRequest): boolean {
  if (status >= MIN_FAILURE_STATUS) return false
  const endpoint = facts?.route?.endpoint
  return (
    method === "OPTIONS" || endpoint?.isProbe === true || (endpoint?.isFile === true && status < MIN_REFUSED_STATUS)
  )
}

// Returns the fields of the log line. They contain the pattern of the path and not the URL, which may contain a token.
function requestFields({ showsUnknownPaths }: RequestLogOptions, { call, answer, startedAt }: EndedRequest) {
  const { status, headers, facts } = answer
  const pattern = facts?.route && loggedPath(facts.route)
  const path = pattern ?? (showsUnknownPaths ? call.path : undefined)
  return {
    method: call.method,
    ...(path !== undefined && { path }),
    status,
    durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
    requestId: facts?.requestId ?? headers["x-request-id"],
    ...(facts?.userId !== undefined && { userId: facts.userId }),
  }
}
