import type { TablesRead } from "../../ports/database.ts"
import type { Resource, ResourceField, StageCopies, ToManyRelation } from "../../schema/compile/resource.ts"
import { isMasked, maskedComparisons } from "../filter/masked-field.ts"
import { activeRows, isAlways, type Predicate, predicateOf, type Visibility } from "../filter/predicate.ts"
import type { Grouping } from "../parse/parse-group.ts"
import type { OrderKey } from "../parse/parse-order.ts"
import type { HydratedRelation, Selection } from "../parse/selection.ts"
import { shapesOfRead } from "./read-shapes.ts"

/** A parsed read, of which the statement is made. */
interface ParsedRead {
  readonly selection: Selection
  readonly predicate: Predicate
  readonly order?: readonly OrderKey[]
  /** The visibility with which the order was parsed. */
  readonly visibility?: Visibility
  readonly grouping?: Grouping
}

/** The tables that the statement of a read uses, by their purpose. */
export interface TablesByPurpose extends TablesRead {
  /** True if the table of the requested records is read for nothing else, such as a filter or a relation. */
  readonly isOwnTableReadOnce: boolean
  /**
   * The tables that are read only to hydrate relations to single records that no row rule restricts. A change in such a table can
   * alter hydrated records, but neither which other records are in the result nor their order.
   */
  readonly onlyHydrated: ReadonlySet<string>
}

/**
 * Returns the tables that the statement of a read uses. It walks the parsed read in the same way as the functions that
 * write the SQL. There may be too many tables in the result, but never too few.
 */
export function tablesOfRead(read: ParsedRead): TablesByPurpose {
  const { selection, predicate, order = [], visibility, grouping } = read
  const found: FoundTables = { deciding: new Set(), hydrated: new Set(), authorSql: new Set() }
  walkSelection(found, selection)
  walkPredicate(found, predicate)
  walkOrder(found, order, visibility)
  if (grouping) walkGrouping(found, grouping)
  const { deciding, hydrated, authorSql } = found
  const own = selection.resource.table
  return {
    tables: new Set([own, ...deciding, ...hydrated]),
    authorSql,
    shapes: () => shapesOfRead({ resource: selection.resource, predicate, order, grouping }),
    isOwnTableReadOnce: !deciding.has(own) && !hydrated.has(own),
    onlyHydrated: new Set([...hydrated].filter((table) => table !== own && !deciding.has(table))),
  }
}

function walkGrouping(found: FoundTables, { field, titles }: Grouping): void {
  walkField(found, field)
  if (titles?.selection === undefined) return
  found.deciding.add(titles.selection.resource.table)
  walkPredicate(found, titles.predicate)
  walkSelection(found, titles.selection)
}

interface FoundTables {
  /** The tables whose rows decide which records are in the result, in which order, or with which values. */
  readonly deciding: Set<string>
  /** The tables of to-one relations that no row rule restricts. */
  readonly hydrated: Set<string>
  readonly authorSql: Set<string>
}

function walkSelection(found: FoundTables, { fields, masked = [], relations, parts = [] }: Selection): void {
  for (const field of fields) walkField(found, field)
  for (const { mask } of masked) walkPredicate(found, mask)
  for (const relation of [...relations, ...parts]) walkRelation(found, relation)
}

function walkRelation(found: FoundTables, { field, selection, predicate, toMany }: HydratedRelation): void {
  const { resource } = selection
  if (toMany) addToMany(found, toMany.relation)
  else if (isUnrestricted(resource, predicate)) found.hydrated.add(resource.table)
  else found.deciding.add(resource.table)
  walkField(found, field)
  walkPredicate(found, predicate)
  walkSelection(found, selection)
  if (toMany?.order) walkOrder(found, toMany.order, toMany.visibility)
}

// True if no row rule restricts the related records. With a row rule, a change could make a hidden record visible. The
// id of that record is not in the result yet, so a search of the result for the id would not find it.
function isUnrestricted(resource: Resource, predicate: Predicate): boolean {
  return resource.working === undefined && (isAlways(predicate) || predicate === activeRows(resource))
}

function walkPredicate(found: FoundTables, predicate: Predicate): void {
  switch (predicate.kind) {
    case "all":
    case "any":
      for (const part of predicate.parts) walkPredicate(found, part)
      break
    case "not":
      walkPredicate(found, predicate.part)
      break
    case "compare":
      walkField(found, predicate.field)
      break
    case "related":
      found.deciding.add(predicate.target.table)
      walkPredicate(found, predicate.part)
      break
    case "some":
      addToMany(found, predicate.relation)
      walkPredicate(found, predicate.part)
      break
    case "text":
      for (const field of predicate.fields) walkField(found, field)
      break
    default:
      predicate satisfies never
  }
}

function walkOrder(found: FoundTables, order: readonly OrderKey[], visibility: Visibility | undefined): void {
  for (const { through, field } of order) {
    for (const step of through) walkStep(found, step, visibility)
    walkField(found, field)
  }
}

function walkStep(found: FoundTables, step: ResourceField, visibility: Visibility | undefined): void {
  walkField(found, step)
  if (step.target === undefined) return
  found.deciding.add(step.target.table)
  if (visibility) walkPredicate(found, predicateOf(visibility.rows(step.target)))
}

// A virtual field is SQL of the author. A masked field is read together with the predicate for the rows that show it.
function walkField(found: FoundTables, field: ResourceField): void {
  for (const part of field.type.expression ?? []) if ("text" in part) found.authorSql.add(part.text)
  if (isMasked(field)) walkPredicate(found, field.mask)
  if (field.comparison) walkComparison(found, field.comparison.copies)
  for (const { mask } of maskedComparisons(field)) walkPredicate(found, mask)
}

function walkComparison({ deciding }: FoundTables, { resource, links }: StageCopies): void {
  deciding.add(resource.table)
  for (const { from, to } of links) deciding.add(from.table).add(to.table)
}

function addToMany({ deciding }: FoundTables, relation: ToManyRelation): void {
  deciding.add(relation.target.table)
  if (relation.kind === "manyToMany") deciding.add(relation.link.table)
}
