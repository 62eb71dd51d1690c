import type { AppSchema, Resource } from "../../../schema/compile/resource.ts"
import { interfaceText } from "../interface-text.ts"
import { stageNames } from "../resource-types.ts"
import { type TypeNames, typeName } from "../type-names.ts"

/** The name of the interface that has the types of each searchable collection. */
export const SEARCH_TYPES = "AppSearch"

/** True if a collection of the app is searchable. */
export function isSearchable(schema: AppSchema): boolean {
  return searchableIn(schema).length > 0
}

/** Returns the types of the searchable collections; none if there are no such collections. */
export function searchTypes(schema: AppSchema, names: TypeNames): string[] {
  const searchable = searchableIn(schema)
  if (searchable.length === 0) return []
  const members = searchable.map((resource) => ({ name: resource.name, type: searchedType(resource, names) }))
  return [...searchable.map((resource) => foundType(resource, names)), interfaceText(SEARCH_TYPES, members)]
}

function searchableIn({ collections }: AppSchema): Resource[] {
  return [...collections.values()].filter(({ search }) => search !== undefined)
}

function foundType(resource: Resource, names: TypeNames): string {
  const name = typeName(names, resource)
  const bases = `${name}Record, FoundRecord<${JSON.stringify(resource.name)}>`
  return interfaceText(`${name}Found`, [], bases)
}

function searchedType(resource: Resource, names: TypeNames): string {
  const name = typeName(names, resource)
  const facets = resource.search?.facets.map((field) => JSON.stringify(field.name)) ?? []
  const stage = stageNames(resource) ?? "never"
  const options = `where: ${name}Where; facet: ${facets.join(" | ") || "never"}; stage: ${stage}`
  return `{ types: ${name}Types; found: ${name}Found; ${options} }`
}
