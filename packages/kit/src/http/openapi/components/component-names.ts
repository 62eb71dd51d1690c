import type { Resource } from "../../../schema/compile/resource.ts"

/**
 * The ends of the names of a resource's components. No end is the end of another one, so that the names of two resources
 * cannot be equal.
 */
type ComponentSuffix =
  | "Record"
  | "Create"
  | "Update"
  | "Where"
  | "Related"
  | "RelatedMany"
  | "Match"
  | "OrderBy"
  | "With"
  | "Query"
  | "Page"
  | "Version"
  | "Versions"

/**
 * Returns the name of a resource's component: `ArticlesRecord`. It depends on nothing but the resource's own kind and
 * name, so it is the same for all callers, and does not reveal that there are others with similar names. A name of a
 * resource contains no dot, so a dot keeps those apart that differ in their kind, or in the case of their first letter.
 */
export function componentName({ kind, name }: Pick<Resource, "kind" | "name">, suffix: ComponentSuffix): string {
  const capital = name.charAt(0).toUpperCase() + name.slice(1)
  const isCapital = name === capital
  return `${kind === "global" ? "Global." : ""}${isCapital ? "Capital." : ""}${capital}${suffix}`
}
