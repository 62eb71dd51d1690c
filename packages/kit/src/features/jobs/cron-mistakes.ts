import type { Mistake } from "../../schema/compile/compile.ts"
import type { SourcedJob } from "./compile-jobs.ts"
import { serializePayload } from "./job-payload.ts"

/**
 * Finds cron jobs whose schemas reject their payloads. Checked at the start: at a tick, no caller would see the error.
 */
export async function findCronMistakes(sources: readonly SourcedJob[]): Promise<readonly Mistake[]> {
  return (await Promise.all(sources.map(findCronMistake))).flat()
}

async function findCronMistake({ file, definition }: SourcedJob): Promise<Mistake[]> {
  if (definition.cron === undefined) return []
  try {
    await serializePayload(definition, definition.cron.payload)
    return []
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [{ file, message: `cron cannot publish it. ${reason} Write options: { cron: { pattern, payload: … } }.` }]
  }
}
