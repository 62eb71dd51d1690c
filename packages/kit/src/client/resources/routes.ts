import { isPlainObject } from "../../wire/codecs/query-string.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import { segment } from "../../wire/paths/paths.ts"
import { kebabCase } from "../../wire/paths/route-names.ts"
import type { Call } from "../transport/call.ts"
import type { Transport } from "../transport/transport.ts"
import { queryText } from "./query.ts"

type Send = (input?: unknown, options?: CallOptions) => Promise<unknown>
type AddSegments = (value: unknown) => RouteNode
type ToText = () => string

/** A node below `client.routes`. Calling the node sends a POST request, and each property is a child node. */
interface RouteNode extends Send {
  readonly [name: string | symbol]: RouteNode | Send | AddSegments | ToText | string | undefined
}

const METHOD = /^(get|post|put|patch|delete)$/i

/** Returns the node for this URL path. The node does not know which routes exist. */
export function routeNode(transport: Transport, path: string): RouteNode {
  // The cast is safe: the `get` trap handles every property name.
  return new Proxy(sender(transport, "POST", path), {
    get: (_send, name) => memberOf(transport, path, name),
  }) as RouteNode
}

function memberOf(transport: Transport, path: string, name: string | symbol): RouteNode[string] {
  // Converting a node to a string gives the node's URL. Without this line, the conversion would call the child node
  // `toString`, which would send a request.
  if (name === Symbol.toPrimitive) return () => transport.urlOf(path)
  // `await` and JSON.stringify read these properties. They must be undefined, because a node is neither a promise nor
  // serializable.
  if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined
  if (name === "url") return transport.urlOf(path)
  if (name.startsWith("$")) return (value: unknown) => routeNode(transport, path + segmentsOf(value))
  // The cast is safe: the pattern matches exactly the names of these HTTP methods.
  if (METHOD.test(name)) return sender(transport, name.toUpperCase() as Call["method"], path)
  return routeNode(transport, path + segment(kebabCase(name)))
}

function segmentsOf(value: unknown): string {
  // An empty list is passed on as one value, which `segment` rejects. With no segments added, the path would be that of
  // another route.
  const values: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [value]
  return values.map((one) => segment(typeof one === "number" || typeof one === "bigint" ? String(one) : one)).join("")
}

function sender(transport: Transport, method: Call["method"], path: string): Send {
  return async (input, options) => {
    const call = method === "GET" ? { path: path + queryFor(input) } : { path, body: input }
    return await transport.send({ method, ...call, options, isRoute: true })
  }
}

function queryFor(input: unknown): string {
  if (input === undefined || input === null) return ""
  if (isPlainObject(input)) return queryText(input)
  throw new TypeError("The input of a GET is an object.")
}
