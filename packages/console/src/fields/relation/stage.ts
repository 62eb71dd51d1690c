import type { ResourceSchema } from "../../kit/descriptions.ts"

/**
 * Returns the stage in which the working copies of the records are read, as far as the person may see drafts. Without
 * drafts, everything is read as the public sees it, and no stage is named.
 */
export function workingStage({ options, access }: ResourceSchema): string | undefined {
  if (!options.workflow.enabled || !access.operations.drafts) return undefined
  return options.workflow.initialStage ?? undefined
}
