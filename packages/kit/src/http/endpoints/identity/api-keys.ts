import { authoredAnswer, plainAnswer } from "../../../engine/read/answer.ts"
import type { ApiKeys } from "../../../features/auth/sessions/api-keys.ts"
import { isProblem } from "../../../schema/compile/field-type.ts"
import { datetimeType } from "../../../schema/fields/datetime.ts"
import { ONE_LINE_FORMAT } from "../../../schema/fields/one-line.ts"
import { isId } from "../../../schema/fields/relation.ts"
import { TextField } from "../../../schema/fields/text.ts"
import { ApiError, invalid } from "../../../wire/errors/api-error.ts"
import { didYouMean } from "../../../wire/errors/did-you-mean.ts"
import type { Endpoint, EndpointCall } from "../../endpoint.ts"
import { callerWithSession, readBody, textIn } from "./auth-input.ts"

const nameType = new TextField({ name: "text", max: 100, format: ONE_LINE_FORMAT }).trim().min(1).compile()
const KEY_INPUT = ["name", "expiresAt"]

/**
 * Returns the endpoints for creating, listing and deleting the caller's own API keys. A request with such a key acts
 * for that caller.
 */
export function keyEndpoints(keys: ApiKeys): readonly Endpoint[] {
  return [
    {
      method: "POST",
      path: "/auth/api-keys",
      takesBody: true,
      run: async (call) => {
        const { user } = callerWithSession(call.callerCtx)
        return { ...authoredAnswer(await keys.create(user.id, await readKeyInput(call))), status: 201 }
      },
    },
    {
      method: "GET",
      path: "/auth/api-keys",
      run: async ({ ctx }) => authoredAnswer(await keys.list(callerWithSession(ctx).user.id)),
    },
    {
      method: "DELETE",
      path: "/auth/api-keys/:id",
      run: async ({ ctx, params }) => {
        const { user } = callerWithSession(ctx)
        const { id } = params
        if (!isId(id)) throw new ApiError("NOT_FOUND", { message: "You have no such key." })
        await keys.delete(user.id, id)
        return plainAnswer({ success: true })
      },
    },
  ]
}

async function readKeyInput(call: EndpointCall): Promise<{ name: string; expiresAt: Date | null }> {
  const body = await readBody(call)
  for (const name of Object.keys(body ?? {})) {
    if (!KEY_INPUT.includes(name)) throw invalid(name, `There is no field "${name}".${didYouMean(name, KEY_INPUT)}`)
  }
  const name = nameType.parse(textIn(body, "name"))
  if (isProblem(name)) throw invalid("name", name.problem)
  return { name: String(name.value), expiresAt: readExpiry(call, body?.["expiresAt"]) }
}

function readExpiry({ ctx }: EndpointCall, given: unknown): Date | null {
  if (given === undefined || given === null) return null
  const parsed = datetimeType.parse(given)
  if (isProblem(parsed)) throw invalid("expiresAt", parsed.problem)
  // The cast is safe: the datetime type always parses its input to a Date.
  const end = parsed.value as Date
  if (end <= ctx.now()) throw invalid("expiresAt", "Must be in the future.")
  return end
}
