import type { AppSchema, Resource, ResourceField, ToManyRelation } from "../../../schema/compile/resource.ts"
import type { Predicate } from "../../filter/predicate.ts"
import type { OrderKey } from "../../parse/parse-order.ts"
import type { HydratedRelation, Selection } from "../../parse/selection.ts"
import { fieldSql } from "../../text/field-sql.ts"
import { column, quote } from "../../text/fragment.ts"
import { type ContentTable, contentTables } from "./content-tables.ts"

/** A table whose rows the content of other records depends on. */
export interface WatchedTable {
  readonly table: string
  /** The columns of a changed row that the queries use: ids, and the fields that point to other records. */
  readonly keys: Set<string>
  /** The columns whose changes matter. Undefined for a link table, in which every change matters. */
  readonly columns: readonly string[] | undefined
  /** True if the content of the rows themselves depends on them. */
  isContentTable: boolean
  /** By the table of the dependent records, the queries for their ids. They read the changed rows as `_rows`. */
  readonly dependents: Map<string, Set<string>>
}

/** A way from the rows of one table to those of another. */
type Hop =
  | { readonly kind: "one"; readonly from: Resource; readonly field: ResourceField; readonly target: Resource }
  | { readonly kind: "many"; readonly from: Resource; readonly relation: ToManyRelation }

interface Walk {
  readonly content: ContentTable
  readonly watched: Map<string, WatchedTable>
  /** The hops from a record with content to the rows that are visited. */
  readonly path: readonly Hop[]
}

const known = new WeakMap<readonly ContentTable[], ReadonlyMap<string, WatchedTable>>()

/** Returns the tables that the content of some record depends on, by name. */
export function watchedTables(schema: AppSchema): ReadonlyMap<string, WatchedTable> {
  const contents = contentTables(schema)
  const found = known.get(contents) ?? findWatchedTables(contents)
  known.set(contents, found)
  return found
}

function findWatchedTables(contents: readonly ContentTable[]): ReadonlyMap<string, WatchedTable> {
  const watched = new Map<string, WatchedTable>()
  for (const content of contents) {
    for (const selection of content.readings.keys()) {
      watchResource(watched, selection.resource).isContentTable = true
      walkSelection({ content, watched, path: [] }, selection)
    }
  }
  return watched
}

function walkSelection(walk: Walk, { resource, relations }: Selection): void {
  for (const relation of relations) walkRelation(walk, resource, relation)
}

function walkRelation(walk: Walk, from: Resource, { field, selection, predicate, toMany }: HydratedRelation): void {
  const hop: Hop = toMany
    ? { kind: "many", from, relation: toMany.relation }
    : { kind: "one", from, field, target: selection.resource }
  const inner = follow(walk, hop)
  walkPredicate(inner, selection.resource, predicate)
  if (toMany?.order) walkOrder(inner, selection.resource, toMany.order)
  walkSelection(inner, selection)
}

function walkPredicate(walk: Walk, from: Resource, predicate: Predicate): void {
  switch (predicate.kind) {
    case "all":
    case "any":
      for (const part of predicate.parts) walkPredicate(walk, from, part)
      break
    case "not":
      walkPredicate(walk, from, predicate.part)
      break
    case "compare":
    case "text":
      break
    case "related": {
      const { field, target, part } = predicate
      walkPredicate(follow(walk, { kind: "one", from, field, target }), target, part)
      break
    }
    case "some": {
      const { relation, part } = predicate
      walkPredicate(follow(walk, { kind: "many", from, relation }), relation.target, part)
      break
    }
    default:
      predicate satisfies never
  }
}

function walkOrder(walk: Walk, from: Resource, order: readonly OrderKey[]): void {
  for (const { through } of order) walkSteps(walk, from, through)
}

function walkSteps(walk: Walk, from: Resource, [field, ...rest]: readonly ResourceField[]): void {
  if (field?.target === undefined) return
  walkSteps(follow(walk, { kind: "one", from, field, target: field.target }), field.target, rest)
}

// Watches the tables of the hop, and returns the walk at its end.
function follow(walk: Walk, hop: Hop): Walk {
  const path = [...walk.path, hop]
  const { watched, content } = walk
  const target = watchResource(watched, targetOf(hop))
  if (hop.kind === "many" && hop.relation.kind === "hasMany") target.keys.add(hop.relation.via.name)
  addDependents(target, content.resource.table, dependentsOf(path, changedParents(hop)))
  if (hop.kind === "many" && hop.relation.kind === "manyToMany") {
    const { link } = hop.relation
    const links = watchLinks(watched, link.table)
    links.keys.add(link.own)
    addDependents(links, content.resource.table, dependentsOf(path, `select ${column("_rows", link.own)} from _rows`))
  }
  return { ...walk, path }
}

function targetOf(hop: Hop): Resource {
  return hop.kind === "one" ? hop.target : hop.relation.target
}

// Returns the query for the ids of the rows from which the hop leads to a changed row.
function changedParents(hop: Hop): string {
  if (hop.kind === "many" && hop.relation.kind === "hasMany")
    return `select ${fieldSql("_rows", hop.relation.via)} from _rows`
  return parents(hop, `select ${column("_rows", targetOf(hop).id.name)} from _rows`)
}

// Returns the query for the ids of the rows from which the hop leads to the rows with these ids.
function parents(hop: Hop, ids: string): string {
  if (hop.kind === "one") {
    const { from, field } = hop
    return `select ${column("_p", from.id.name)} from ${quote(from.table)} _p where ${fieldSql("_p", field)} in (${ids})`
  }
  const { relation } = hop
  if (relation.kind === "hasMany") {
    const { target, via } = relation
    return `select ${fieldSql("_p", via)} from ${quote(target.table)} _p where ${column("_p", target.id.name)} in (${ids})`
  }
  const { table, own, other } = relation.link
  return `select ${column("_p", own)} from ${quote(table)} _p where ${column("_p", other)} in (${ids})`
}

// Returns the query for the records at the beginning of the path. `last` gives the rows before the path's last hop.
function dependentsOf(path: readonly Hop[], last: string): string {
  return path.slice(0, -1).reduceRight((ids, hop) => parents(hop, ids), last)
}

function addDependents({ dependents }: WatchedTable, table: string, query: string): void {
  dependents.set(table, (dependents.get(table) ?? new Set()).add(query))
}

function watchResource(watched: Map<string, WatchedTable>, { table, id, columns }: Resource): WatchedTable {
  const names = columns.map(({ name }) => name)
  const found = watched.get(table) ?? watch(table, names)
  found.keys.add(id.name)
  watched.set(table, found)
  return found
}

function watchLinks(watched: Map<string, WatchedTable>, table: string): WatchedTable {
  const found = watched.get(table) ?? watch(table, undefined)
  watched.set(table, found)
  return found
}

function watch(table: string, columns: readonly string[] | undefined): WatchedTable {
  return { table, columns, keys: new Set(), isContentTable: false, dependents: new Map() }
}
