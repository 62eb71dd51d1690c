import { collectionOperations } from "../../client/resources/collections.ts"
import { globalOperations } from "../../client/resources/globals.ts"
import { sessionCall } from "../../client/resources/session-call.ts"
import type { Transport } from "../../client/transport/transport.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import type { Query } from "./query-key.ts"

/** Reads the result of a handle: what its live query would send first. */
export async function readOnce(
  transport: Transport,
  { facts, options, locale }: Query,
  { headers, ...limits }: CallOptions,
): Promise<unknown> {
  const { kind, resource, id } = facts
  const call = { ...limits, headers: { "accept-language": locale, ...headers } }
  if (kind === "session") return await transport.send(sessionCall(call))
  if (kind === "global") return await globalOperations(transport, resource).get(options, call)
  const { find, findOne, count } = collectionOperations(transport, resource)
  if (kind === "total") return await count(options, call)
  return kind === "record" ? await findOne({ ...options, where: { id } }, call) : await find(options, call)
}
