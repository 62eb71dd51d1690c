import { stringifyQuery } from "../wire/query-string.ts"
import { kebabCase } from "../wire/route-names.ts"
import type { Call, Transport } from "./transport.ts"

type Send = (input?: unknown) => Promise<unknown>
type AddSegments = (value: unknown) => RouteNode

/** A place below `client.routes`: a call sends POST, every property leads on. */
export interface RouteNode {
  (input?: unknown): Promise<unknown>
  readonly [name: string]: RouteNode | Send | AddSegments | string | undefined
}

const METHODS: Readonly<Record<string, Call["method"]>> = {
  get: "GET",
  post: "POST",
  put: "PUT",
  patch: "PATCH",
  delete: "DELETE",
}

/** The place with this path; it knows nothing of which routes there are. */
export function routeNode(transport: Transport, path: string): RouteNode {
  const send = (input?: unknown) => sendTo(transport, { method: "POST", path }, input)
  // Whatever is asked of the function is answered by `get`, so it has every name.
  return new Proxy(send, { get: (_send, name) => memberOf(transport, path, name) }) as RouteNode
}

function memberOf(transport: Transport, path: string, name: string | symbol): RouteNode[string] {
  // A place is no promise and writes no JSON, which `await` and JSON.stringify would ask of it.
  if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined
  if (name === "url") return transport.urlOf(path)
  if (name.startsWith("$")) return (value: unknown) => routeNode(transport, path + segmentsOf(name, value))
  const method = Object.hasOwn(METHODS, name.toLowerCase()) ? METHODS[name.toLowerCase()] : undefined
  if (method) return (input?: unknown) => sendTo(transport, { method, path }, input)
  return routeNode(transport, path + segmentOf(name, kebabCase(name)))
}

function segmentsOf(name: string, value: unknown): string {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (values.length === 0) throw new TypeError(`${name}() takes at least one segment.`)
  return values.map((one) => segmentOf(name, one)).join("")
}

// What is empty or a dot would vanish from the URL on its way.
function segmentOf(name: string, value: unknown): string {
  const text = typeof value === "number" || typeof value === "bigint" ? String(value) : value
  if (typeof text === "string" && !["", ".", ".."].includes(text)) return `/${encodeURIComponent(text)}`
  throw new TypeError(`${JSON.stringify(value)} cannot be a segment of a path (at ${name}).`)
}

async function sendTo(transport: Transport, { method, path }: Call, input: unknown): Promise<unknown> {
  if (method !== "GET") return await transport.sendToRoute({ method, path, body: input })
  const query = input === undefined || input === null ? "" : stringifyQuery(membersOf(input))
  return await transport.sendToRoute({ method, path: query === "" ? path : `${path}?${query}` })
}

function membersOf(input: unknown): Record<string, unknown> {
  if (typeof input === "object" && input !== null && !Array.isArray(input)) return { ...input }
  throw new TypeError("The input of a GET is an object: its members become the query string.")
}
