import { findCronMistakes } from "../../features/jobs/cron-mistakes.ts"
import { CONFIG_FILE } from "../config/config.ts"
import { findConfigMistakes } from "../config/settings/find-config-mistakes.ts"
import { type CompiledDefinition, compileOrThrow, type DefinitionInput } from "./compile-definition.ts"

/** Compiles an app and runs every check that needs no database; throws all mistakes as one error. */
export async function checkApp(definition: DefinitionInput): Promise<CompiledDefinition> {
  const ofConfig = findConfigMistakes(definition.config).map((message) => ({ file: CONFIG_FILE, message }))
  const ofCron = await findCronMistakes(definition.jobs ?? [])
  return compileOrThrow(definition, [...ofConfig, ...ofCron])
}
