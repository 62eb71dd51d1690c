import type { ResourceContent } from "../../../schema/compile/resource.ts"
import { type AppSchema, type Resource, WORKING_RECORDS } from "../../../schema/compile/resource.ts"
import { EVERYTHING } from "../../filter/predicate.ts"
import { typedParseContext } from "../../parse/parse-context.ts"
import { parseSelection } from "../../parse/parse-selection.ts"
import type { Selection } from "../../parse/selection.ts"

/** A table whose rows have text that the author's function `content` returns. */
export interface ContentTable {
  readonly resource: Resource
  readonly content: ResourceContent
  /** The argument of the function, in each locale of the app. Locales that read the same share one selection. */
  readonly readings: ReadonlyMap<Selection, readonly string[]>
}

const known = new WeakMap<AppSchema, readonly ContentTable[]>()

/** Returns the tables with content: those of searchable collections, and those of the copies in their stages. */
export function contentTables(schema: AppSchema): readonly ContentTable[] {
  const root = schema.inStages(WORKING_RECORDS).inLocale({ locale: schema.locales.default, hasFallback: true })
  const found = known.get(root) ?? findContentTables(root)
  known.set(root, found)
  return found
}

/** Returns the names of the tables with content that is made of related records, too. */
export function tablesWithRelatedContent(schema: AppSchema): readonly string[] {
  const readsRelated = ({ readings }: ContentTable) =>
    [...readings.keys()].some(({ relations }) => relations.length > 0)
  return contentTables(schema)
    .filter(readsRelated)
    .map(({ resource }) => resource.table)
}

function findContentTables(schema: AppSchema): readonly ContentTable[] {
  const collections = [...schema.collections.values()].filter(({ search }) => search?.content)
  return collections.flatMap((resource) => [
    contentTable(schema, resource, undefined),
    ...schema.stages
      .filter(({ resource: { working } }) => working?.table === resource.table)
      .map(({ stage }) => contentTable(schema, resource, stage)),
  ])
}

function contentTable(schema: AppSchema, { name, search }: Resource, stage: string | undefined): ContentTable {
  const content = search?.content
  if (content === undefined) throw new Error(`"${name}" has no content.`)
  const readings = new Map<Selection, string[]>()
  for (const locale of schema.locales.all) {
    const resource = collectionIn(schema, name, { locale, stage })
    const selection = parseSelection(resource, { with: content.with }, typedParseContext(EVERYTHING))
    readings.set(selection, [...(readings.get(selection) ?? []), locale])
  }
  return { resource: collectionIn(schema, name, { locale: schema.locales.default, stage }), content, readings }
}

interface Reading {
  readonly locale: string
  readonly stage: string | undefined
}

// Returns the collection as a read of the stage sees it: related records are read in the same stage if they have it,
// and otherwise as working copies.
function collectionIn(schema: AppSchema, name: string, { locale, stage }: Reading): Resource {
  const staged = schema.resources.filter(({ workflow }) => stage && workflow?.stages.has(stage))
  const stages = staged.filter(({ workflow }) => workflow?.initial !== stage)
  const pairs = stages.map(({ table }): [string, string] => [table, stage ?? ""])
  const selection = new Map(pairs.sort(([left], [right]) => (left < right ? -1 : 1)))
  const resource = schema.inStages(selection).inLocale({ locale, hasFallback: true }).collections.get(name)
  if (resource === undefined) throw new Error(`There is no collection "${name}".`)
  return resource
}
