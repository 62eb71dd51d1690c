import type { ReadOptions, RouteWriteOptions } from "./built-options.ts"

/**
 * The option factories of the routes, by the segments of their paths: `q.routes.stats.get(input)` for a query, and
 * `q.routes.teams.invite()` for a mutation.
 */
export type RouteQueryOptions<Node> = WriteFactory<Node> & {
  readonly [Name in Exclude<keyof Node, "url">]: Name extends "get"
    ? ReadFactory<Node[Name]>
    : Name extends `$${string}`
      ? SegmentFactory<Node[Name]>
      : RouteQueryOptions<Node[Name]>
}

type WriteFactory<Node> = Node extends (...given: infer Given) => Promise<infer Answer>
  ? () => RouteWriteOptions<Answer, Given[0]>
  : unknown

type ReadFactory<Node> = Node extends (...given: infer Given) => Promise<infer Answer>
  ? (...input: [] extends Given ? [input?: Given[0]] : [input: Given[0]]) => ReadOptions<Answer>
  : never

type SegmentFactory<Node> = Node extends (value: infer Value) => infer Next
  ? (value: Value) => RouteQueryOptions<Next>
  : never
