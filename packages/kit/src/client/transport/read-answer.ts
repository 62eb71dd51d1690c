import { decodeAnswer } from "../../wire/codecs/extended-json-answer.ts"
import { isObject } from "../../wire/codecs/is-object.ts"
import type { Call, Outcome } from "./call.ts"
import { answerError } from "./failures.ts"

export interface ReceivedAnswer {
  readonly url: string
  readonly response: Response
  readonly text: string
}

/** Returns the value in a response, or the error. */
export function readAnswer({ url, response, text }: ReceivedAnswer, { isRoute, accepts = isObject }: Call): Outcome {
  const body = readBody(response, text)
  if (response.ok && "value" in body && (isRoute || accepts(body.value))) return body
  return { error: answerError(url, response, { text, ...body }) }
}

function readBody({ headers }: Response, text: string): { readonly value: unknown } | { readonly cause: unknown } {
  try {
    const value: unknown = JSON.parse(text)
    // The server sets the header `x-extendedjson` on responses in extended JSON.
    return { value: headers.get("x-extendedjson") === "1" ? decodeAnswer(value) : value }
  } catch (cause) {
    return { cause }
  }
}
