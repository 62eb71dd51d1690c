import { type Resource, type ResourceField, toManyOf } from "../../schema/compile/resource.ts"
import { invalid } from "../../wire/errors/api-error.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { comparisonWeight } from "../filter/comparison-weight.ts"
import { isMasked, maskedComparisons } from "../filter/masked-field.ts"
import { operatorsOf } from "../filter/operators.ts"
import type { ParseContext } from "../parse/parse-context.ts"

/**
 * Returns the field that a request aggregates or groups by. It must be visible to the caller in every row: a number made
 * of some rows would be wrong, and one made of all rows would leak the hidden values.
 */
export function aggregatedField(
  resource: Resource,
  { name, path }: { readonly name: unknown; readonly path: string },
  { visibility, cost }: ParseContext,
): ResourceField {
  if (typeof name !== "string") throw invalid(path, "Expected the name of a field.")
  const fields = visibility.fields(resource)
  const field = fields.get(name)
  if (field === undefined) throw invalid(path, `There is no field "${name}".${didYouMean(name, fields.keys())}`)
  if (toManyOf(field)) throw invalid(path, `The relation "${name}" leads to many records and cannot be aggregated.`)
  if (isMasked(field) || maskedComparisons(field).length > 0) {
    throw invalid(path, `A rule shows the field "${name}" only in some records, so it cannot be aggregated.`)
  }
  const operator = operatorsOf(field.type.operators).get("isNull")
  if (operator) cost?.addComparison(comparisonWeight({ operator, field, operand: true }), path)
  return field
}
