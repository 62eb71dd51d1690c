import type { CompiledRoute, Segment } from "../../../app/definition/compile-definition.ts"
import { routeKey } from "../../../wire/paths/route-names.ts"
import { type Member, membersText } from "../interface-text.ts"
import { type Modules, moduleType } from "../module-type.ts"

interface RouteNode {
  /** The routes with exactly this URL path. */
  readonly routes: CompiledRoute[]
  readonly children: Map<string, RouteNode>
}

/** Returns the type of `client.routes`: one member per URL segment, with the calls for the routes that end there. */
export function routesType(routes: readonly CompiledRoute[], modules: Modules): string {
  const root = newNode()
  for (const route of routes) nodeAt(root, route.segments).routes.push(route)
  return root.children.size === 0 ? "{}" : membersText(childMembers(root, modules, "    "), "  ")
}

function newNode(): RouteNode {
  return { routes: [], children: new Map() }
}

function nodeAt(root: RouteNode, segments: readonly Segment[]): RouteNode {
  let place = root
  for (const segment of segments) {
    const key = keyOf(segment)
    const next = place.children.get(key) ?? newNode()
    place.children.set(key, next)
    place = next
  }
  return place
}

function keyOf(segment: Segment): string {
  if (segment.kind === "fixed") return fixedKey(routeKey(segment.text))
  return segment.kind === "rest"
    ? `$${segment.name}(values: readonly string[])`
    : `$${segment.name}(value: string | number)`
}

function fixedKey(key: string): string {
  return /^[a-zA-Z]\w*$/.test(key) ? key : JSON.stringify(key)
}

function childMembers({ children }: RouteNode, modules: Modules, indent: string): Member[] {
  const keys = [...children.keys()].sort()
  return keys.map((name) => ({ name, type: nodeType(children.get(name) ?? newNode(), modules, indent) }))
}

// The node itself can be called if it has a POST route, because a call without a method name sends POST.
function nodeType(place: RouteNode, modules: Modules, indent: string): string {
  const post = place.routes.find(({ definition }) => definition.method === "POST")
  const calls = place.routes.map((route) => ({
    name: route.definition.method.toLowerCase(),
    type: callType(route, modules),
  }))
  const members = [...calls, ...childMembers(place, modules, `${indent}  `)]
  const parts = [
    ...(post ? [callType(post, modules)] : []),
    "RoutePath",
    ...(members.length > 0 ? [membersText(members, indent)] : []),
  ]
  return parts.join(" & ")
}

function callType({ definition, file }: CompiledRoute, modules: Modules): string {
  const helper = definition.method === "GET" ? "RouteQuery" : "RouteCall"
  return `${helper}<${moduleType(modules, { kind: "route", name: file })}>`
}
