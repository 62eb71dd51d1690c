import { randomUUID } from "node:crypto"
import { perform } from "../engine/database-errors.ts"
import type { Engine } from "../engine/engine.ts"
import type { Identity } from "../features/auth/identity.ts"
import type { CallHandler, IncomingCall, OutgoingAnswer } from "../ports/http.ts"
import type { Logger } from "../ports/logger.ts"
import type { MailKeeper } from "../ports/mail-transport.ts"
import type { SessionProvider } from "../ports/session-provider.ts"
import { ApiError } from "../wire/api-error.ts"
import { isExtendedHeader } from "../wire/extended-json.ts"
import type { EndpointAnswer, EndpointCall } from "./endpoint.ts"
import { authEndpoints } from "./endpoints/auth.ts"
import { bulkEndpoints } from "./endpoints/bulk.ts"
import { collectionEndpoints } from "./endpoints/collections.ts"
import { globalEndpoints } from "./endpoints/globals.ts"
import { healthEndpoints } from "./endpoints/health.ts"
import { mailEndpoints } from "./endpoints/mail.ts"
import { readJsonBody, readOptions } from "./read-input.ts"
import { answerError, answerJson, answerPage, type Reply } from "./respond.ts"
import { createRouter, type Route, type Router } from "./router.ts"

export interface HandlerParts {
  readonly engine: Engine
  readonly sessions: SessionProvider
  readonly logger: Logger
  /** Without a trailing slash; empty for the root. */
  readonly basePath: string
  readonly maxBodyBytes: number
  /** Absent where the author has a session provider. */
  readonly identity?: Identity | undefined
  /** Mail to look at; only while the app is developed. */
  readonly mailKeeper?: MailKeeper | undefined
}

const BULK_BODY_BYTES = 16 * 1024 * 1024
const REQUEST_ID = /^[\w-]{1,64}$/

/** Answers every call: finds its endpoint, runs it as the caller, and turns whatever happens into JSON. */
export function createHandler(parts: HandlerParts): CallHandler {
  const identity = parts.identity ? authEndpoints(parts.identity) : []
  const mail = parts.mailKeeper ? mailEndpoints(parts.mailKeeper, parts.basePath) : []
  const resources = [...globalEndpoints, ...bulkEndpoints, ...collectionEndpoints]
  const route = createRouter([...healthEndpoints, ...mail, ...identity, ...resources])
  return async (call) => {
    const reply = readReply(call)
    try {
      const answer = await answerCall(parts, call, route)
      return "page" in answer ? answerPage(answer, reply) : answerJson(answer, reply)
    } catch (error) {
      return answerFailure(parts, error, reply)
    }
  }
}

function readReply({ headers }: IncomingCall): Reply {
  const given = headers.get("x-request-id")
  return {
    requestId: given !== null && REQUEST_ID.test(given) ? given : randomUUID(),
    isExtended: isExtendedHeader(headers.get("x-extendedjson")),
  }
}

async function answerCall(parts: HandlerParts, call: IncomingCall, route: Router): Promise<EndpointAnswer> {
  const { endpoint, params } = findRoute(parts, call, route)
  const session = await parts.sessions.read(call.headers)
  const endpointCall: EndpointCall = {
    ctx: parts.engine.contextFor(session),
    params,
    options: () => readOptions(call),
    header: (name) => call.headers.get(name),
    incoming: call,
    body: () => readJsonBody(call, parts.maxBodyBytes),
    bulkBody: () => readJsonBody(call, Math.max(parts.maxBodyBytes, BULK_BODY_BYTES)),
  }
  return perform(parts.engine.schema, () => endpoint.run(endpointCall))
}

function findRoute({ basePath }: HandlerParts, call: IncomingCall, route: Router): Route {
  if (!call.path.startsWith(`${basePath}/`)) {
    throw new ApiError("NOT_FOUND", { message: `The API is mounted at "${basePath}/".` })
  }
  return route(call.method === "HEAD" ? "GET" : call.method, call.path.slice(basePath.length))
}

function answerFailure({ logger }: HandlerParts, error: unknown, reply: Reply): OutgoingAnswer {
  const { requestId } = reply
  if (!(error instanceof ApiError)) logger.error("A request failed.", { requestId, error })
  else if (error.status >= 500) logger.warn("A request could not be served.", { requestId, error })
  try {
    return answerError(error, reply)
  } catch (cause) {
    // The details of an author's error can be something that JSON cannot hold.
    logger.error("An error could not be written as JSON.", { requestId, error: cause })
    return answerError(cause, reply)
  }
}
