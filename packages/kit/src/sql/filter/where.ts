import type { ResourceField } from "../../schema/compile/resource.ts"
import { fieldSql } from "../text/field-sql.ts"
import { column, type Parameters, quote } from "../text/fragment.ts"
import { comparisonSql } from "../text/public-comparison.ts"
import { isMasked } from "./masked-field.ts"
import { isAlways, type Predicate } from "./predicate.ts"
import { relatedRows, rowsLinkedAfter } from "./related-rows.ts"

/** Returns the SQL condition that a row of the table with this alias satisfies the predicate. */
export function whereSql(predicate: Predicate, alias: string, parameters: Parameters): string {
  switch (predicate.kind) {
    case "all":
      return joined(predicate.parts, " and ", "true")
    case "any":
      return joined(predicate.parts, " or ", "false")
    case "not":
      return notSql(predicate.part)
    case "compare":
      return compareSql(predicate)
    case "related":
      return relatedSql(predicate)
    case "some":
      return someSql(predicate, alias, parameters)
    case "text":
      return predicate.write(predicate.fields, { alias, parameters })
    default:
      return predicate satisfies never
  }

  // Returns the SQL condition that a row does not satisfy the predicate `part`. The negation is pushed down to the
  // single comparisons, because Postgres can plan `not exists` as an anti join but runs `(exists …) is not true` again
  // for every row.
  function notSql(part: Predicate): string {
    switch (part.kind) {
      case "all":
        return joined(part.parts.map(opposite), " or ", "false")
      case "any":
        return joined(part.parts.map(opposite), " and ", "true")
      case "not":
        return whereSql(part.part, alias, parameters)
      case "compare":
      case "text":
        // A comparison with null counts as no match, so that NOT includes the rows whose value is null.
        return `(${whereSql(part, alias, parameters)}) is not true`
      case "related":
        return `not ${relatedSql(part)}`
      case "some":
        return `not ${someSql(part, alias, parameters)}`
      default:
        return part satisfies never
    }
  }

  function joined(parts: readonly Predicate[], glue: string, empty: string): string {
    if (parts.length === 0) return empty
    return `(${parts.map((part) => whereSql(part, alias, parameters)).join(glue)})`
  }

  function compareSql({ field, operator, operand }: Extract<Predicate, { kind: "compare" }>): string {
    const { type } = field
    const compare = (value: string) => operator.sql({ column: value, type, operand, parameters })
    if (!isMasked(field)) return compare(valueSql(field, alias, parameters))
    // In rows that hide the field from the caller, the field counts as null. If null does not satisfy the comparison,
    // the condition can therefore be written as `mask and comparison`, for which Postgres can use an index. Virtual
    // fields are excluded, because their SQL might fail on a hidden value and so leak it.
    const isStrict = field.isStored && operator.test?.({ value: null, type, operand }) === "no"
    if (!isStrict) return compare(visibleSql(field, alias, parameters))
    return `(${whereSql(field.mask, alias, parameters)} and ${compare(fieldSql(alias, field))})`
  }

  function relatedSql({ field, target, part }: Extract<Predicate, { kind: "related" }>): string {
    const other = parameters.alias()
    const link = `${column(other, target.id.name)} = ${column(alias, field.name)}`
    return `exists (select 1 from ${quote(target.table)} ${other} where ${link} and ${whereSql(part, other, parameters)})`
  }
}

function someSql(
  { relation, part, links }: Extract<Predicate, { kind: "some" }>,
  alias: string,
  parameters: Parameters,
): string {
  const rows =
    links && relation.kind === "manyToMany"
      ? rowsLinkedAfter({ relation, links }, alias, parameters)
      : relatedRows(relation, alias, parameters)
  const rule = isAlways(part) ? "" : ` and ${whereSql(part, rows.alias, parameters)}`
  return `exists (select 1 from ${rows.from} where ${rows.condition}${rule})`
}

function opposite(part: Predicate): Predicate {
  return { kind: "not", part }
}

/** Returns an SQL expression for a field's value. It is NULL in rows where the field is hidden from the caller. */
export function visibleSql(field: ResourceField, alias: string, parameters: Parameters): string {
  return whereVisible(field, { alias, parameters, value: valueSql(field, alias, parameters) })
}

// Returns the SQL of a field's value as if the field were visible in every row. In a comparison with the public copy,
// only the fields count that are visible in the row.
function valueSql(field: ResourceField, alias: string, parameters: Parameters): string {
  if (field.comparison === undefined) return fieldSql(alias, field)
  return comparisonSql(field.comparison, alias, (compared, difference) =>
    isMasked(compared) ? `(${whereSql(compared.mask, alias, parameters)} and ${difference})` : difference,
  )
}

/** Returns the SQL of a value that depends on a field; null in rows that hide the field from the caller. */
export function whereVisible(
  field: ResourceField,
  { alias, parameters, value }: { alias: string; parameters: Parameters; value: string },
): string {
  return isMasked(field) ? `(case when ${whereSql(field.mask, alias, parameters)} then ${value} end)` : value
}
