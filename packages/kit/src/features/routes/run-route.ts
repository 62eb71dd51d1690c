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

/** A call of a custom route. Its input and request are read only if the route uses them. */
export interface RouteCall {
  readonly ctx: OperationContext
  readonly params: Readonly<Record<string, string>>
  /** The query string or the body, depending on the method of the route. */
  input(): unknown
  request(): Request
}

export type RouteAnswer = Answer<unknown> | { readonly response: Response }

/** Answers a call: evaluates the rule, then validates the input, then runs the handler. */
export function runRoute(route: CompiledRoute, call: RouteCall): RouteAnswer | Promise<RouteAnswer> {
  const context = contextOf(call)
  return whenReady(isAdmittedTo(route, context), (isAdmitted) => {
    if (!isAdmitted) throw denied(call.ctx.session, `call ${route.title}`)
    return whenReady(readInput(route, call), (input) => callHandler(route, context, input))
  })
}

/** True if the rule allows the call, as far as the rule does not depend on the input. */
export function mayCall(route: CompiledRoute, call: Omit<RouteCall, "input">): boolean | Promise<boolean> {
  return isAdmittedTo(route, contextOf(call))
}

function isAdmittedTo(route: CompiledRoute, context: RouteAccessContext): boolean | Promise<boolean> {
  return isOpen(route) || isAllowed(route, context)
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

// Adds `params` and the request to the shared context. A getter of the context creates the Request when it is first
// read.
function contextOf({ ctx, params, request }: Omit<RouteCall, "input">): MutableRouteContext {
  // The two assignments below complete the type.
  const context = ctx.handlerFor(ctx) as MutableRouteContext
  context.params = params
  context[MAKE_REQUEST] = request
  return context
}

function isOpen({ definition: { access } }: CompiledRoute): boolean {
  return access === undefined || access === true
}

/** Only `true` allows the call; a rule that throws denies it. */
async function isAllowed({ definition, title }: CompiledRoute, context: RouteAccessContext): Promise<boolean> {
  const { access } = definition
  if (typeof access !== "function") return false
  try {
    return (await access(context)) === true
  } catch (error) {
    // A rule that could not query the database has not decided anything.
    if (error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE") throw error
    context.logger.error(`The access rule of ${title} failed; access is denied.`, { error })
    return false
  }
}

// Not async: without a schema the query string of a GET is available synchronously.
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
