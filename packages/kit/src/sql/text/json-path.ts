/** `{ at: "seo.title", eq: "Hello" }`: a comparison inside a JSON value. */
export interface PathOperand {
  readonly at: readonly string[]
  readonly comparisons: readonly { readonly operator: PathOperatorName; readonly value: unknown }[]
}

export const PATH_OPERATORS = { eq: "=", ne: "is distinct from", gt: ">", gte: ">=", lt: "<", lte: "<=" } as const

export type PathOperatorName = keyof typeof PATH_OPERATORS
