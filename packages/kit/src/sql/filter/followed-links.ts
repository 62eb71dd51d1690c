import type { Predicate } from "./predicate.ts"

/** True if the predicate follows a many-to-many relation over this link table, in any of the records that it reaches. */
export function followsLinks(predicate: Predicate, table: string): boolean {
  switch (predicate.kind) {
    case "all":
    case "any":
      return predicate.parts.some((part) => followsLinks(part, table))
    case "not":
    case "related":
      return followsLinks(predicate.part, table)
    case "some": {
      const { relation, part } = predicate
      const isFollowed = relation.kind === "manyToMany" && relation.link.table === table
      return isFollowed || followsLinks(part, table)
    }
    case "compare":
    case "text":
      return false
    default:
      return predicate satisfies never
  }
}
