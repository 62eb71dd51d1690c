import { type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"

type FieldMap = ReadonlyMap<string, ResourceField>

/** Returns the relations whose links the resource's field `changedSincePublished` compares. */
export function comparedLinks({ workflow }: Resource): readonly ResourceField[] {
  return workflow?.changedSincePublished.comparison?.fields.filter(toManyOf) ?? []
}

/**
 * Returns the readable fields of a resource. If one of them compares the record with its public copy, it compares only
 * what the caller may read: otherwise a caller could write values into a hidden field until it equals the public one.
 */
export function withReadableComparison(
  { workflow }: Resource,
  { stored, links }: { readonly stored: FieldMap; readonly links: FieldMap },
): FieldMap {
  const field = stored.get(workflow?.changedSincePublished.name ?? "")
  if (field?.comparison === undefined) return stored
  const { comparison } = field
  const compared = comparison.fields.flatMap(({ name }) => stored.get(name) ?? links.get(name) ?? [])
  const isWhole =
    compared.length === comparison.fields.length && compared.every((each, at) => each === comparison.fields[at])
  if (isWhole) return stored
  return new Map(stored).set(field.name, Object.freeze({ ...field, comparison: { ...comparison, fields: compared } }))
}
