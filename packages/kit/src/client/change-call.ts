import type { CallOptions } from "../wire/call-options.ts"
import type { ChangeOptions } from "../wire/query-options.ts"
import type { Call } from "./call.ts"
import { queryOf } from "./query.ts"

/** The last argument of every change: what is about the call stays here, the rest goes into the query string. */
export type TrailingOptions = ChangeOptions & CallOptions

export function changeCall(call: Call, { signal, timeout, headers, ...query }: TrailingOptions = {}): Call {
  return { ...call, path: call.path + queryOf(query), options: { signal, timeout, headers } }
}
