import type { Parameters } from "../text/fragment.ts"

/**
 * How a statement finds the rows that match a search, and how well each of them matches. All members are SQL text whose
 * values are bound by `Parameters`.
 */
interface Match {
  /** The joins that the condition and the score need, each beginning with a space; empty if they need none. */
  readonly join: string
  /** The condition that a row matches. */
  readonly condition: string
  /**
   * Returns the score of a matching row, as `double precision`; a higher score means a better match. It binds values of
   * its own, so it is called only by statements that use it.
   */
  score(): string
}

/** Writes a match for the rows of the table with this alias. */
export type WriteMatch = (alias: string, parameters: Parameters) => Match

/** Finds every row, none better than another. */
export const BROWSE: WriteMatch = () => ({ join: "", condition: "true", score: () => "0::double precision" })
