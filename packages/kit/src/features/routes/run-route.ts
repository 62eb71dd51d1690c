import { type Answer, authoredAnswer } from "../../engine/answer.ts"
import { denied } from "../../engine/authorize.ts"
import type { OperationContext } from "../../engine/operation-context.ts"
import { parseBySchema } from "../../schema/parse-by-schema.ts"
import type { RouteAccessContext, RouteContext } from "../../schema/route.ts"
import { ApiError } from "../../wire/api-error.ts"
import type { CompiledRoute } from "./compile-routes.ts"

/** A call of a custom route, read only as far as the route asks. */
export interface RouteCall {
  readonly ctx: OperationContext
  readonly params: Readonly<Record<string, string>>
  /** The query string or the body, by the method of the route. */
  input(): unknown
  request(): Request
}

export type RouteAnswer = Answer<unknown> | { readonly response: Response }

/** Answers a call: the rule first, then the input, then the handler. */
export async function runRoute(route: CompiledRoute, call: RouteCall): Promise<RouteAnswer> {
  const context = contextOf(call)
  if (!(await isAllowed(route, context))) throw denied(context.session, `call ${route.title}`)
  if (!route.definition.isRaw) await readInput(route, call, context)
  const result = await route.definition.handler(context)
  return result instanceof Response ? { response: result } : authoredAnswer(await shapeResult(route, result))
}

// Own members on top of those that every context has; only the request is made when it is read.
function contextOf(call: RouteCall): RouteContext {
  const context = Object.assign(call.ctx.handlerFor(call.ctx), { params: call.params, input: undefined })
  let request: Request | undefined
  const get = () => {
    request ??= call.request()
    return request
  }
  return Object.defineProperty(context, "request", { get, enumerable: true }) as typeof context & { request: Request }
}

/** Only `true` allows; a rule that fails denies. */
async function isAllowed({ definition, title }: CompiledRoute, context: RouteAccessContext): Promise<boolean> {
  const { access = true } = definition
  if (typeof access !== "function") return access === true
  try {
    return (await access(context)) === true
  } catch (error) {
    // A rule that could not ask the database has not decided anything.
    if (error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE") throw error
    context.logger.error(`The access rule of ${title} failed; access is denied.`, { error })
    return false
  }
}

async function readInput({ definition }: CompiledRoute, call: RouteCall, context: { input: unknown }): Promise<void> {
  const given = await call.input()
  context.input = given
  if (definition.schema === undefined) return
  const parsed = await parseBySchema(definition.schema, given)
  if ("fieldErrors" in parsed) throw new ApiError("VALIDATION_ERROR", { fieldErrors: parsed.fieldErrors })
  context.input = parsed.value
}

async function shapeResult({ definition, title }: CompiledRoute, result: unknown): Promise<unknown> {
  if (definition.isRaw) throw new Error(`The raw route ${title} has to return a Response.`)
  if (definition.output === undefined) return result ?? null
  const parsed = await parseBySchema(definition.output, result)
  if ("value" in parsed) return parsed.value ?? null
  const problems = parsed.fieldErrors.map(({ path, message }) => `${path}: ${message}`)
  throw new Error(`The result of ${title} does not fit its .output(): ${problems.join("; ")}`)
}
