import { type Resource, type ResourceField, type ToManyRelation, toManyOf } from "../../../schema/compile/resource.ts"
import type { NestedMany, NestedOne } from "../../../schema/fields/relation.ts"
import { ApiError, type FieldError } from "../../../wire/errors/api-error.ts"
import type { FieldInput } from "../input.ts"

/** The nested writes inside the input of one write. */
export interface NestedWrites {
  readonly one: readonly { readonly field: ResourceField; readonly input: NestedOne }[]
  readonly many: readonly {
    readonly field: ResourceField
    readonly relation: ToManyRelation
    readonly input: NestedMany
  }[]
}

/**
 * Removes the nested writes from the values of a write to the resource, and returns them. Returns undefined if there are
 * none.
 */
export function takeNestedWrites(resource: Resource, values: FieldInput): NestedWrites | undefined {
  const one: NestedWrites["one"][number][] = []
  const many: NestedWrites["many"][number][] = []
  for (const [field, value] of values) {
    const relation = toManyOf(field)
    // The cast is safe: the field's type has parsed the input of a to-many relation into a `NestedMany`.
    if (relation) many.push({ field, relation, input: value as NestedMany })
    else if (isNestedOne(field, value)) one.push({ field, input: value })
    else continue
    values.delete(field)
  }
  if (resource.working) rejectHasManyWrites(many)
  return one.length + many.length === 0 ? undefined : { one, many }
}

// Throws if the input of a write to a stage copy changes a has-many relation. Such a relation is stored in the rows of
// the related records, which have stages of their own.
function rejectHasManyWrites(many: NestedWrites["many"]): void {
  const others = many.filter(({ relation }) => relation.kind === "hasMany")
  const fieldErrors = others.map(({ field }): FieldError => {
    return { path: field.name, message: "An update of a stage cannot change related records. Update them separately." }
  })
  if (fieldErrors.length > 0) throw new ApiError("VALIDATION_ERROR", { fieldErrors })
}

// True if the input of a to-one relation is a nested write instead of an id.
function isNestedOne(field: ResourceField, value: unknown): value is NestedOne {
  return field.target !== undefined && typeof value === "object" && value !== null
}
