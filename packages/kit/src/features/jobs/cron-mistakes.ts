import type { Mistake } from "../../schema/compile/compile.ts"
import type { SourcedJob } from "./compile-jobs.ts"
import { serializePayload } from "./job-payload.ts"

/**
 * Returns a mistake for each cron job whose schema rejects its payload. This is checked when the app starts, because no
 * caller would see the error when the cron job is published.
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
