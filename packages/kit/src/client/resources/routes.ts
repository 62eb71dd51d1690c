import { isPlainObject } from "../../wire/codecs/query-string.ts"
import type { CallOptions } from "../../wire/options/call-options.ts"
import { segment } from "../../wire/paths/paths.ts"
import { kebabCase } from "../../wire/paths/route-names.ts"
import type { ClientParts } from "../client-parts.ts"
import { ROUTE, type RouteFacts } from "../route-facts.ts"
import type { Call } from "../transport/call.ts"
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
export function routeNode(parts: ClientParts, path: string): RouteNode {
  // The cast is safe: the `get` trap handles every property name.
  return new Proxy(sender(parts, "POST", path), {
    get: (send, name) => (name === ROUTE ? send[ROUTE] : memberOf(parts, path, name)),
  }) as unknown as RouteNode
}

function memberOf(parts: ClientParts, path: string, name: string | symbol): RouteNode[string] {
  const { transport } = parts
  // Converting a node to a string gives the node's URL. Without this line, the conversion would call the child node
  // `toString`, which would send a request.
  if (name === Symbol.toPrimitive) return () => transport.urlOf(path)
  // `await` and JSON.stringify read these properties. They must be undefined, because a node is neither a promise nor
  // serializable.
  if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined
  if (name === "url") return transport.urlOf(path)
  if (name.startsWith("$")) return (value: unknown) => routeNode(parts, path + segmentsOf(value))
  // The cast is safe: the pattern matches exactly the names of these HTTP methods.
  if (METHOD.test(name)) return sender(parts, name.toUpperCase() as Call["method"], path)
  return routeNode(parts, path + segment(kebabCase(name)))
}

function segmentsOf(value: unknown): string {
  // An empty list is passed on as one value, which `segment` rejects. With no segments added, the path would be that of
  // another route.
  const values: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [value]
  return values.map((one) => segment(typeof one === "number" || typeof one === "bigint" ? String(one) : one)).join("")
}

function sender(parts: ClientParts, method: Call["method"], path: string): Send & { readonly [ROUTE]: RouteFacts } {
  const send: Send = async (input, options) => {
    const call = method === "GET" ? { path: path + queryFor(input) } : { path, body: input }
    return await parts.transport.send({ method, ...call, options, isRoute: true })
  }
  const facts: RouteFacts = { parts, name: `${method} ${path}` }
  // The facts are not enumerable, so that printing a route does not print the parts of the client. The cast is safe:
  // the property is defined here.
  return Object.defineProperty(send, ROUTE, { value: facts }) as Send & { readonly [ROUTE]: RouteFacts }
}

function queryFor(input: unknown): string {
  if (input === undefined || input === null) return ""
  if (isPlainObject(input)) return queryText(input)
  throw new TypeError("The input of a GET is an object.")
}
