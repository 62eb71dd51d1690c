import type { CallOptions } from "../../wire/options/call-options.ts"
import type { ChangeOptions, DryRunOption } from "../../wire/options/query-options.ts"
import { queryOf } from "../resources/query.ts"
import type { Call } from "./call.ts"
import type { Transport } from "./transport.ts"

/**
 * The last argument of every write operation: options of the call itself, and options that are sent in the query
 * string.
 */
export type TrailingOptions = ChangeOptions & DryRunOption & CallOptions

export type SendCall = <Answer>(call: Call, options?: TrailingOptions) => Promise<Answer>

/**
 * Returns a function that sends calls for the resource with this name. The function `place` makes the base path from
 * the name.
 */
export function callSender(transport: Transport, place: (name: string) => string, name: string): SendCall {
  return async (call, { signal, timeout, headers, ...query } = {}) =>
    await transport.send({
      ...call,
      path: place(name) + call.path + queryOf(query),
      options: { signal, timeout, headers },
    })
}
