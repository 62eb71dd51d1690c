import type { PartStep } from "../../schema/compile/field-type.ts"

/**
 * Returns the jsonpath from a stored value to its parts; for a map of such values by locale, from each of them. Each step
 * is strict and guarded, because a stored value may have another form than the field declares now: it then has no such
 * parts, while a lax path would look for them in the items of a list.
 */
export function partPath(steps: readonly PartStep[], { ofEachLocale }: { readonly ofEachLocale: boolean }): string {
  return `strict $${ofEachLocale ? guarded(".*") : ""}${steps.map(stepPath).join("")}`
}

// The names need no escaping: the compiled schema allows only letters, digits and _ in them.
function stepPath(step: PartStep): string {
  if (step.kind === "member") return guarded(`."${step.name}"`)
  return step.block === undefined ? guarded("[*]") : `${guarded("[*]")}?(@."type"=="${step.block}")`
}

function guarded(accessor: string): string {
  return `?(exists(@${accessor}))${accessor}`
}

/**
 * Returns the SQL of the values at a jsonpath, as a function in the list after `from`. They are made as one array, because
 * `jsonb_path_query` moves all of its remaining results with each of them: for 200,000 that takes half a minute.
 */
export function partValues(given: string): string {
  return `jsonb_array_elements(jsonb_path_query_array(${given}))`
}

/**
 * The form of the ids that the server makes, as JSON stores them. Anything else in their place is left from an earlier
 * declaration of the part.
 */
export const STORED_UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"
