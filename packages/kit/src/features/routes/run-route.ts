import { denied } from "../../engine/access/authorize.ts"
import type { OperationContext } from "../../engine/context/operation-context.ts"
import { type Answer, authoredAnswer } from "../../engine/read/answer.ts"
import { parseBySchema } from "../../schema/builders/parse-by-schema.ts"
import type { RouteAccessContext, RouteContext } from "../../schema/builders/route.ts"
import type { StandardSchema } from "../../schema/compile/validation.ts"
import { MAKE_REQUEST } from "../../schema/context/lazy-request.ts"
import { whenReady } from "../../schema/context/when-ready.ts"
import { ApiError, fieldMessage } from "../../wire/errors/api-error.ts"
import type { CompiledRoute } from "./compile-routes.ts"

/** A call of a custom route. The input and the Request object are created only if the route uses them. */
interface RouteCall {
  readonly ctx: OperationContext
  readonly params: Readonly<Record<string, string>>
  /** Returns the query string or the request body, depending on the route's HTTP method. */
  input(): unknown
  request(): Request
}

export type RouteAnswer = Answer<unknown> | { readonly response: Response }

/**
 * Handles a call of a custom route: evaluates the access rule, then validates the input, then runs the handler. Waits
 * only for promises (see `whenReady`).
 */
export function runRoute(route: CompiledRoute, call: RouteCall): RouteAnswer | Promise<RouteAnswer> {
  const context = contextOf(call)
  return whenReady(isAdmittedTo(route, context), (isAdmitted) => {
    if (!isAdmitted) throw denied(call.ctx.session, `call ${route.title}`)
    return whenReady(readInput(route, call), (input) => callHandler(route, context, input))
  })
}

/**
 * True if the route's access rule allows the call, which nobody has made. The rule is evaluated without the input. A rule
 * that fails is logged only once, because callers can request descriptions often, and the rule may need a real call.
 */
export async function mayCall(route: CompiledRoute, call: Omit<RouteCall, "input">): Promise<boolean> {
  const context = contextOf(call)
  return isOpen(route) || (await isAllowed(route, context, logOnce))
}

function isAdmittedTo(route: CompiledRoute, context: RouteAccessContext): boolean | Promise<boolean> {
  return isOpen(route) || isAllowed(route, context, logFailure)
}

function callHandler(
  route: CompiledRoute,
  context: MutableRouteContext,
  input: unknown,
): RouteAnswer | Promise<RouteAnswer> {
  context.input = input
  return whenReady(route.definition.handler(context), (result) => answerWith(route, result))
}

function answerWith(route: CompiledRoute, result: unknown): RouteAnswer | Promise<RouteAnswer> {
  const { isRaw, output } = route.definition
  if (result instanceof Response) return { response: result }
  if (isRaw) throw new Error(`The raw route ${route.title} has to return a Response.`)
  return output ? shapeResult(route, output, result) : authoredAnswer(result ?? null)
}

type MutableRouteContext = { -readonly [Name in keyof RouteContext]: RouteContext[Name] } & {
  [MAKE_REQUEST]: () => Request
}

// Returns the handler context with `params` and the request added. The Request object is created when the handler first
// reads it.
function contextOf({ ctx, params, request }: Omit<RouteCall, "input">): MutableRouteContext {
  // The cast is safe: the two assignments below add the missing properties.
  const context = ctx.handlerFor(ctx) as MutableRouteContext
  context.params = params
  context[MAKE_REQUEST] = request
  return context
}

function isOpen({ definition: { access } }: CompiledRoute): boolean {
  return access === undefined || access === true
}

/** Evaluates the route's access rule. Only the result `true` allows the call; a rule that throws denies it. */
async function isAllowed(route: CompiledRoute, context: RouteAccessContext, log: FailureLog): Promise<boolean> {
  const { access } = route.definition
  if (typeof access !== "function") return false
  try {
    return (await access(context)) === true
  } catch (error) {
    // If the rule could not query the database, it has neither allowed nor denied the call. The caller gets the outage
    // error.
    if (error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE") throw error
    log(route, context, error)
    return false
  }
}

type FailureLog = (route: CompiledRoute, context: RouteAccessContext, error: unknown) => void

function logFailure({ title }: CompiledRoute, { logger }: RouteAccessContext, error: unknown): void {
  logger.error(`The access rule of ${title} failed; access is denied.`, { error })
}

const logged = new WeakSet<CompiledRoute>()

function logOnce(route: CompiledRoute, context: RouteAccessContext, error: unknown): void {
  if (logged.has(route)) return
  logged.add(route)
  logFailure(route, context, error)
}

// Returns the route's input. The function is not async, so that the query string of a GET request without a schema is
// returned synchronously.
function readInput({ definition }: CompiledRoute, call: RouteCall): unknown {
  if (definition.isRaw) return undefined
  const given = call.input()
  return definition.schema ? checkInput(definition.schema, given) : given
}

async function checkInput(schema: StandardSchema, given: unknown): Promise<unknown> {
  const parsed = await parseBySchema(schema, await given)
  if ("value" in parsed) return parsed.value
  throw new ApiError("VALIDATION_ERROR", { fieldErrors: parsed.fieldErrors })
}

async function shapeResult({ title }: CompiledRoute, output: StandardSchema, result: unknown): Promise<RouteAnswer> {
  const parsed = await parseBySchema(output, result)
  if ("value" in parsed) return authoredAnswer(parsed.value ?? null)
  const problems = parsed.fieldErrors.map(fieldMessage)
  throw new Error(`The result of ${title} does not fit its .output(): ${problems.join("; ")}`)
}
