import { type AnswerBudget, answerTooLong } from "../engine/context/answer-budget.ts"
import { Lifetime } from "../engine/context/lifetime.ts"
import type { OperationContext } from "../engine/context/operation-context.ts"
import { CallerLeftError, explainError } from "../engine/database/database-errors.ts"
import { OutageError } from "../engine/database/outage.ts"
import type { Engine } from "../engine/engine.ts"
import type { Identity } from "../features/auth/identity.ts"
import type { WriteMarks } from "../features/realtime/changes/write-marks.ts"
import type { CompiledChannels } from "../features/realtime/channels/compile-channels.ts"
import type { DocumentCalls } from "../features/realtime/documents/document-calls.ts"
import type { LiveCalls } from "../features/realtime/streams/live-calls.ts"
import type { CompiledRoute } from "../features/routes/compile-routes.ts"
import type { SignedLinks } from "../features/uploads/signed-links.ts"
import type { StoredFiles } from "../features/uploads/stored-files.ts"
import type { IncomingCall, OutgoingAnswer } from "../ports/http.ts"
import type { Logger } from "../ports/logger.ts"
import type { MailArchive } from "../ports/mail-transport.ts"
import type { Session, SessionProvider } from "../ports/session-provider.ts"
import { type MaybePromise, whenReady } from "../schema/context/when-ready.ts"
import { isExtendedHeader } from "../wire/codecs/extended-json.ts"
import { ApiError } from "../wire/errors/api-error.ts"
import { HASH_HEADER } from "../wire/options/client-headers.ts"
import { isBelow } from "../wire/paths/paths.ts"
import { type AnswerCompression, isWhole } from "./compression/answer-compression.ts"
import type { ConsoleMounts } from "./console/console-mounts.ts"
import { answerDescription } from "./descriptions/answer-description.ts"
import type { Endpoint, EndpointAnswer, EndpointCall } from "./endpoint.ts"
import { aggregateEndpoints } from "./endpoints/aggregate.ts"
import { bulkEndpoints } from "./endpoints/bulk.ts"
import { collectionEndpoints } from "./endpoints/collections.ts"
import { customEndpoints } from "./endpoints/custom-routes.ts"
import { findByTitleEndpoint } from "./endpoints/find-by-title.ts"
import { globalEndpoints } from "./endpoints/globals.ts"
import { type HealthDependencies, healthEndpoints } from "./endpoints/health.ts"
import { authEndpoints, firstAccountEndpoint } from "./endpoints/identity/auth.ts"
import { descriptionEndpoints, indexEndpoint } from "./endpoints/introspection.ts"
import { mailEndpoints } from "./endpoints/mail.ts"
import { type MountDependencies, mountEndpoint, outsideMountPath } from "./endpoints/mount.ts"
import { type OpenApiDependencies, openApiEndpoints } from "./endpoints/openapi.ts"
import { previewEndpoint } from "./endpoints/preview.ts"
import { channelEndpoints } from "./endpoints/realtime/channels.ts"
import { documentEndpoints } from "./endpoints/realtime/documents.ts"
import { realtimeEndpoints } from "./endpoints/realtime/realtime.ts"
import { recordsAccessEndpoint } from "./endpoints/records-access.ts"
import { searchEndpoints } from "./endpoints/search.ts"
import { type ReindexDependencies, reindexEndpoint } from "./endpoints/search-reindex.ts"
import { uploadEndpoints } from "./endpoints/uploads.ts"
import { type FrontPage, isFrontPageCall } from "./front-page/front-page.ts"
import { refuseBody } from "./input-members.ts"
import { restrictToKnownResources, suggestPaths } from "./known-paths.ts"
import type { LargeBodySemaphore } from "./large-body-semaphore.ts"
import { isDryRunCall, markNamedWrites } from "./own-writes.ts"
import { preferredLocale } from "./preferred-locale.ts"
import { type CallerRule, passesRule } from "./protection/caller-rule.ts"
import type { CallerAddresses } from "./protection/client-address.ts"
import { RequestCaller } from "./request-caller.ts"
import { makeRequestId } from "./request-id.ts"
import type { LoggedAnswer, LoggedHandler } from "./request-log.ts"
import { RequestLogger } from "./request-logger.ts"
import { answerError, answerEvents, answerJson, answerJsonInSlices, type ReplyOptions } from "./respond.ts"
import { answerResponse, endWith } from "./respond-with-response.ts"
import { RoutedCall } from "./routed-call.ts"
import { createRouter, loggedPath, type Route, type Router } from "./router.ts"
import { isFileCall } from "./web/web-pages.ts"

export interface HandlerDependencies
  extends CallerAddresses,
    HealthDependencies,
    MountDependencies,
    ReindexDependencies {
  readonly engine: Engine
  readonly sessions: SessionProvider
  readonly logger: Logger
  /** True if the responses need the facts that the request log shows. */
  readonly logsRequests: boolean
  readonly maxBodyBytes: number
  /** The maximum length of the body in requests that may contain many records. */
  readonly maxBulkBodyBytes: number
  readonly largeBodies: LargeBodySemaphore
  /** Counts a request from this user. Throws if the user has sent too many requests. */
  countUser(session: Session | null): void
  /** The built-in identity feature. Undefined if the author declared a session provider instead. */
  readonly identity?: Identity | undefined
  readonly maxRawBodyBytes: number
  readonly routes: readonly CompiledRoute[]
  /** The mails that are kept during development instead of being sent. Undefined in production. */
  readonly mailKeeper?: MailArchive | undefined
  /** The page at `/`, unless the app has pages of its own there. Undefined unless the app runs in development. */
  readonly frontPage?: FrontPage | undefined
  /** The console. Undefined if the app has none. */
  readonly console?: RuledConsole | undefined
  /** Serves the files of the setting `web`. Undefined if it is not set. */
  readonly webPages?: Endpoint | undefined
  readonly files: StoredFiles
  readonly links: SignedLinks
  readonly live: LiveCalls
  readonly writeMarks: WriteMarks
  readonly documents: DocumentCalls
  readonly channels: CompiledChannels
  readonly openApi: OpenApiDependencies
  readonly compression: AnswerCompression
}

/** The console, and the rule for it. */
interface RuledConsole {
  readonly mounts: ConsoleMounts
  readonly access: CallerRule | undefined
}

const REQUEST_ID = /^[\w-]{1,64}$/

/**
 * Returns the function that handles every call. It finds the call's endpoint, runs it with the caller's rights, and
 * turns the result or the error into a JSON response.
 */
export function createHandler(parts: HandlerDependencies): LoggedHandler {
  const endpoints = allEndpoints(parts)
  const route = createRouter(endpoints, suggestPaths(parts.engine.schema, endpoints))
  return (call) => {
    const exchange: Exchange = {
      call,
      lifetime: new Lifetime(),
      reply: replyOptionsFor(parts, call),
      found: undefined,
      userId: undefined,
      answerBudget: undefined,
    }
    try {
      const answer = answerCall(parts, exchange, route)
      return answer instanceof Promise ? finishLater(parts, exchange, answer) : finish(parts, exchange, answer)
    } catch (error) {
      return fail(parts, exchange, error)
    }
  }
}

// Returns all endpoints. If an author's route has the same path as a health check, the author's route replaces it.
function allEndpoints(parts: HandlerDependencies): readonly Endpoint[] {
  const { routes, identity, mailKeeper, basePath, frontPage, console } = parts
  const custom = compressed(markNamedWrites(customEndpoints(routes), parts))
  const health = healthEndpoints(parts).filter(({ path }) => !custom.some((endpoint) => endpoint.path === path))
  const auth = identity ? authEndpoints(identity, parts) : []
  // The page of the set-up is in the console.
  const setUp = identity && console ? [firstAccountEndpoint(identity, parts)] : []
  const mail = mailKeeper ? mailEndpoints(mailKeeper, basePath) : []
  const records = [
    reindexEndpoint(parts),
    ...compressed([...globalEndpoints, ...bulkEndpoints]),
    ...uploadEndpoints(parts),
    ...compressed([...descriptionEndpoints, ...aggregateEndpoints, ...collectionEndpoints]),
    ...documentEndpoints(parts),
  ]
  const own: readonly Endpoint[] = [
    mountEndpoint(parts),
    ...health,
    ...compressed([
      indexEndpoint({ ...parts, mayOpenConsole: (ctx) => mayOpenConsole(parts, ctx) }),
      recordsAccessEndpoint,
      findByTitleEndpoint,
      ...openApiEndpoints(parts.openApi, () => own),
    ]),
    previewEndpoint,
    ...mail,
    ...(frontPage?.endpoints ?? []),
    ...(console?.mounts.endpoints ?? []),
    ...setUp,
    ...auth,
    ...realtimeEndpoints(parts),
    ...compressed(markNamedWrites(channelEndpoints(parts), parts)),
    ...compressed(searchEndpoints),
    ...restrictToKnownResources(parts.engine.schema, markNamedWrites(records, parts, isDryRunCall)),
  ]
  return [...own, ...custom]
}

// Only people open the console, so a caller without a session may not, whatever the rule says.
function mayOpenConsole({ console, identity }: HandlerDependencies, ctx: OperationContext): MaybePromise<boolean> {
  if (console === undefined || ctx.session === null) return false
  return passesRule({ setting: "console.access", rule: console.access, hasIdentity: identity !== undefined }, ctx)
}

function compressed(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return endpoints.map((endpoint) => ({ ...endpoint, mayCompress: true }))
}

function replyOptionsFor({ engine }: HandlerDependencies, call: IncomingCall): ReplyOptions {
  const reply = readReplyOptions(call)
  return engine.schema.locales.all.length > 1 ? { ...reply, hasLocales: true } : reply
}

/**
 * Reads from the request headers the request id, and whether to send extended JSON. Makes a request id if the caller
 * sent no valid one.
 */
export function readReplyOptions({ headers }: IncomingCall): ReplyOptions {
  const given = headers.get("x-request-id")
  return {
    requestId: given !== null && REQUEST_ID.test(given) ? given : makeRequestId(),
    isExtended: isExtendedHeader(headers.get("x-extendedjson")),
  }
}

interface Exchange {
  readonly call: IncomingCall
  readonly lifetime: Lifetime
  readonly reply: ReplyOptions
  /** The route of the call. Undefined until the router has found it. */
  found: Route | undefined
  /** The signed-in user. Undefined until the caller is known, and for anonymous callers. */
  userId: string | undefined
  /** The byte budget of the response. Undefined until the caller is known. */
  answerBudget: AnswerBudget | undefined
}

type PendingAnswer = EndpointAnswer | Promise<EndpointAnswer>

function answerCall(parts: HandlerDependencies, exchange: Exchange, route: Router): PendingAnswer {
  const found = findRoute(parts, exchange.call, route)
  exchange.found = found
  if (found.endpoint.isFile) return runAs(null, parts, { exchange, found })
  // Runs synchronously in most cases: most requests have no session, or one that is known without waiting.
  return whenReady(parts.sessions.read(exchange.call.headers), (session) => runAs(session, parts, { exchange, found }))
}

interface RoutedExchange {
  readonly exchange: Exchange
  readonly found: Route
}

function runAs(
  session: Session | null,
  parts: HandlerDependencies,
  { exchange, found }: RoutedExchange,
): PendingAnswer {
  const { call, lifetime, reply } = exchange
  exchange.userId = session?.user.id
  parts.countUser(session)
  const logger = new RequestLogger(parts.logger, reply.requestId)
  const locale = preferredLocale(parts.engine.schema.locales, call.headers)
  const { endpoint } = found
  const isRead = endpoint.isRead ?? endpoint.method === "GET"
  const caller = new RequestCaller(parts, { session, incoming: call, isRead })
  const ctx = parts.engine.contextFor(session, { lifetime, logger, locale, caller })
  exchange.answerBudget = ctx.answerBudget
  const routed = new RoutedCall(parts, { ctx, params: found.params, incoming: call, caller })
  return endpoint.takesBody || !call.hasBody ? endpoint.run(routed) : runWithoutBody(endpoint, routed)
}

async function runWithoutBody(endpoint: Endpoint, call: EndpointCall): Promise<EndpointAnswer> {
  await refuseBody(call)
  return endpoint.run(call)
}

type OutgoingResult = LoggedAnswer | Promise<LoggedAnswer>

async function finishLater(parts: HandlerDependencies, exchange: Exchange, answering: Promise<EndpointAnswer>) {
  try {
    const finished = finish(parts, exchange, await answering)
    return finished instanceof Promise ? await finished : finished
  } catch (error) {
    return fail(parts, exchange, error)
  }
}

function finish(parts: HandlerDependencies, exchange: Exchange, answer: EndpointAnswer): OutgoingResult {
  const reply = replyTo(exchange)
  if ("events" in answer) return end(parts, exchange, answerEvents(answer.events, reply))
  if ("response" in answer) return end(parts, exchange, answerResponse(answer.response, reply))
  const sent = exchange.answerBudget?.isLarge
    ? encodeLater(parts, exchange, answerJsonInSlices(answer, reply))
    : encode(parts, exchange, answerJson(answer, reply))
  return sent instanceof Promise ? endLater(parts, exchange, sent) : end(parts, exchange, sent)
}

async function encodeLater(parts: HandlerDependencies, exchange: Exchange, answering: Promise<OutgoingAnswer>) {
  return encode(parts, exchange, await answering)
}

// Returns the JSON response as it is sent: compressed, or without a body if the caller already has it.
function encode(parts: HandlerDependencies, exchange: Exchange, given: OutgoingAnswer): MaybePromise<OutgoingAnswer> {
  const answer = checkedLength(exchange, given)
  const { call, found } = exchange
  if (found?.endpoint.isDescription) return answerDescription(call, answer, parts.compression)
  return found?.endpoint.mayCompress ? parts.compression.encode(call, answer) : answer
}

async function endLater(parts: HandlerDependencies, exchange: Exchange, sending: Promise<OutgoingAnswer>) {
  try {
    return await end(parts, exchange, await sending)
  } catch (error) {
    return fail(parts, exchange, error)
  }
}

// Adds to the reply options whether to send the hash of the result, which only some endpoints do.
function replyTo({ call, found, reply }: Exchange): ReplyOptions {
  const isHashed = found?.endpoint.isWatchable && call.headers.get(HASH_HEADER) === "1"
  return isHashed ? { ...reply, isHashed } : reply
}

// Throws if the response to a read is too long. The length is checked again here, because names and punctuation make
// the JSON longer than the rows from the database. The result of a write is exempt: the write has been committed, so
// the caller gets its result in any case.
function checkedLength({ found, answerBudget }: Exchange, answer: OutgoingAnswer): OutgoingAnswer {
  const { body } = answer
  const isText = typeof body === "string" || body instanceof Uint8Array
  if (!found?.endpoint.isRead || answerBudget === undefined || !isText) return answer
  if (body.length > answerBudget.maxBytes) throw answerTooLong(answerBudget.maxBytes)
  return answer
}

function fail(parts: HandlerDependencies, exchange: Exchange, error: unknown): OutgoingResult {
  return end(parts, exchange, answerFailure(parts, explainError(parts.engine.schema, error), exchange))
}

function end(parts: HandlerDependencies, exchange: Exchange, given: OutgoingAnswer): OutgoingResult {
  const { lifetime, reply, answerBudget } = exchange
  const answer = answerBudget?.isHeld ? withBudgetRelease(answerBudget, given) : given
  const logged = parts.logsRequests ? withFacts(exchange, answer) : answer
  return endWith({ lifetime, onBroken: (error) => logBrokenStream(parts, error, reply) }, logged)
}

function withFacts({ reply: { requestId }, found, userId }: Exchange, answer: OutgoingAnswer): LoggedAnswer {
  return { ...answer, facts: { requestId, route: found, userId } }
}

// Releases the byte budget when the response has been sent. For a stream the budget is released now, because the budget
// does not count the bytes of a stream.
function withBudgetRelease(answers: AnswerBudget, answer: OutgoingAnswer): OutgoingAnswer {
  if (isWhole(answer)) return { ...answer, onEnded: () => answers.release() }
  answers.release()
  return answer
}

function findRoute(parts: HandlerDependencies, call: IncomingCall, route: Router): Route {
  const { basePath, frontPage, webPages, console } = parts
  if (frontPage && !webPages && isFrontPageCall(call)) return { endpoint: frontPage.page, params: {} }
  if (!isBelow(basePath, call.path)) {
    const page = console?.mounts.find(call)
    if (page) return { endpoint: page, params: {} }
    if (webPages && isFileCall(call)) return { endpoint: webPages, params: {} }
    throw outsideMountPath(parts, call)
  }
  return route(call.method === "HEAD" ? "GET" : call.method, call.path.slice(basePath.length) || "/")
}

function answerFailure({ logger }: HandlerDependencies, error: unknown, exchange: Exchange): OutgoingAnswer {
  const { reply } = exchange
  const { requestId } = reply
  const call = callPattern(exchange)
  if (!(error instanceof ApiError)) logger.error("A request failed.", { requestId, call, error })
  else if (error.status >= 500 && !(error instanceof OutageError || error instanceof CallerLeftError))
    logger.warn("A request could not be served.", { requestId, call, error })
  try {
    return answerError(error, reply)
  } catch (cause) {
    // The `context` of an error that the author's code threw may contain a value that JSON cannot represent.
    logger.error("An error could not be written as JSON.", { requestId, error: cause })
    return answerError(cause, reply)
  }
}

// Returns the method and the path pattern of the call, such as PATCH /posts/:id, for the log. The path itself may
// contain a token.
function callPattern({ call, found }: Exchange): string {
  return `${call.method} ${(found && loggedPath(found)) ?? "an unknown path"}`
}

function logBrokenStream({ logger }: HandlerDependencies, error: unknown, { requestId }: ReplyOptions): void {
  logger.error("A streamed answer failed after its headers were sent.", { requestId, error })
}
