import type { Parameters } from "../text/fragment.ts"
import { jsonListSql, jsonValueSql } from "../text/json-value.ts"
import type { ItemFilter } from "./item-filter.ts"

/** Returns the SQL condition that at least one item of a list of blocks matches the filter. `list` is SQL, too. */
export function someItemSql(list: string, filter: ItemFilter, parameters: Parameters): string {
  const alias = parameters.alias()
  const condition = itemSql(filter, `${alias}.item`, parameters)
  return `exists (select 1 from jsonb_array_elements(${jsonListSql(list)}) ${alias}(item) where ${condition})`
}

/** Returns the SQL condition that every item of a list of blocks matches the filter, as in an empty list. */
export function everyItemSql(list: string, filter: ItemFilter, parameters: Parameters): string {
  return `not ${someItemSql(list, { kind: "not", part: filter }, parameters)}`
}

function itemSql(filter: ItemFilter, item: string, parameters: Parameters): string {
  switch (filter.kind) {
    case "all":
      return joined(filter.parts, " and ", "true")
    case "any":
      return joined(filter.parts, " or ", "false")
    case "not":
      // A comparison with null counts as no match, so that NOT includes the items whose value is null.
      return `(${itemSql(filter.part, item, parameters)}) is not true`
    case "compare": {
      const { sql, type } = jsonValueSql(`(${item}->'${filter.member}')`, filter.type, parameters)
      return filter.operator.sql({ column: sql, type, operand: filter.operand, parameters })
    }
    default:
      return filter satisfies never
  }

  function joined(parts: readonly ItemFilter[], glue: string, empty: string): string {
    if (parts.length === 0) return empty
    return `(${parts.map((part) => itemSql(part, item, parameters)).join(glue)})`
  }
}
