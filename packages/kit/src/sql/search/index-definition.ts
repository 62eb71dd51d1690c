import { createHash } from "node:crypto"
import type { Resource } from "../../schema/compile/resource.ts"
import type { ResourceSearch } from "../../schema/search/resource-search.ts"
import { triggerBody } from "./search-trigger.ts"
import { PREPARE_VECTOR_FUNCTION } from "./search-vector.ts"

/**
 * Returns a hash of everything that the index of a row depends on besides the row itself. An index that was built with
 * another hash is out of date. The author's function `content` counts with its source text.
 */
export function definitionHash(resource: Resource, search: ResourceSearch): string {
  const { content, adapter } = search
  const ofContent = content ? [String(content.compute), JSON.stringify(content.with)] : []
  const parts = [
    ...PREPARE_VECTOR_FUNCTION,
    triggerBody(resource, search),
    ...ofContent,
    ...(adapter === undefined ? [] : [adapter]),
  ]
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex")
}
