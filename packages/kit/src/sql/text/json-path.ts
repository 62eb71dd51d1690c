/** The operand of a comparison inside a JSON value, such as `{ at: "seo.title", eq: "Hello" }`. */
export interface PathOperand {
  readonly at: readonly string[]
  readonly comparisons: readonly { readonly operator: PathOperatorName; readonly value: unknown }[]
}

export const PATH_OPERATORS = { eq: "=", ne: "is distinct from", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

export type PathOperatorName = keyof typeof PATH_OPERATORS
