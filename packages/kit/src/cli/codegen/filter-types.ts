import type { FieldType, OperatorFamily } from "../../schema/compile/field-type.ts"

/** Returns the type of a filter on a value of this type that is no relation, as TypeScript code. */
export function plainFilterType(type: FieldType): string {
  return FILTERS[type.operators]((type.element ?? type).typescript.input)
}

const FILTERS: Record<OperatorFamily, (input: string) => string> = {
  text: () => "TextFilter",
  ordered: (input) => `OrderedFilter<${input}>`,
  choice: (input) => `ChoiceFilter<${input}>`,
  json: () => "JsonFilter",
  id: () => "IdFilter",
  list: (input) => `ListFilter<${input}>`,
  jsonList: () => "JsonListFilter",
  // A list of blocks without types of its own: that of a hidden field, or within an object or a list.
  blocks: () => "BlocksFilter<LooseBlockFilter>",
  none: () => "never",
}
