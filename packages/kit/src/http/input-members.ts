import { isPlainObject } from "../wire/codecs/query-string.ts"
import { invalid } from "../wire/errors/api-error.ts"
import { didYouMean } from "../wire/errors/did-you-mean.ts"
import type { EndpointCall } from "./endpoint.ts"

/** Returns the options in the query string. Throws if there are others than `known`. */
export function readQuery(call: EndpointCall, known: readonly string[]): Readonly<Record<string, unknown>> {
  const { options } = call.options()
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return options
  throw invalid(unknown, `There is no option "${unknown}" here.${didYouMean(unknown, known)}`)
}

/** Throws if the query string has options. It is called for endpoints that take all of them in the body. */
export function refuseQuery(call: EndpointCall): void {
  const [name] = Object.keys(call.options().options)
  if (name !== undefined) throw invalid(name, "Send the options in the body.")
}

const NO_BODY = "This call takes nothing in its body. Send its options in the query string."

/**
 * Throws if the request has a body that says something. It is called for endpoints that read no body, so that nothing
 * that a caller sends is ignored. An empty object says nothing.
 */
export async function refuseBody(call: EndpointCall): Promise<void> {
  const body = await call.optionalBody()
  if (body === undefined) return
  if (!isPlainObject(body)) throw invalid("", NO_BODY)
  const given = Object.entries(body).find(([, value]) => value !== undefined)
  if (given) throw invalid(given[0], NO_BODY)
}
