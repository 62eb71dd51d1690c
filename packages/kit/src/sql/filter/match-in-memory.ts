import { ilikeVerdict, likeVerdict } from "../../wire/matching/like-pattern.ts"
import { opposite } from "../../wire/matching/verdict.ts"
import type { MemoryTest } from "./compare-in-memory.ts"

/** Evaluates the operator `like`. */
export const isLike: MemoryTest = ({ value, operand }) => {
  if (value === null) return "no"
  if (typeof value !== "string" || typeof operand !== "string") return "unknown"
  return likeVerdict(value, operand)
}

/** Evaluates the operator `ilike`. */
export const isLikeIgnoringCase: MemoryTest = ({ value, operand }) => {
  if (value === null) return "no"
  if (typeof value !== "string" || typeof operand !== "string") return "unknown"
  return ilikeVerdict(value, operand)
}

export const isNotLike: MemoryTest = (comparison) => opposite(isLike(comparison))

export const isNotLikeIgnoringCase: MemoryTest = (comparison) => opposite(isLikeIgnoringCase(comparison))
