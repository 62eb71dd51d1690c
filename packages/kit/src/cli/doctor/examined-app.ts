import { chooseMode } from "../../app/config/defaults.ts"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import { checkApp } from "../../app/definition/check-app.ts"
import type { CheckedApp } from "../../app/doctor/checked-app.ts"
import { type Finding, fail } from "../../app/doctor/finding.ts"
import { type LoadedApp, type LoadedConfig, loadApp, loadConfig } from "../sources/load-app.ts"
import { sourceModules } from "../sources/source-modules.ts"
import { CommandFailure } from "../terminal/arguments.ts"

/** The app that `kit doctor` checks, with the files that the app was loaded from. */
export interface ExaminedApp extends CheckedApp {
  readonly loaded: LoadedApp | undefined
  /** The reasons why the app could not be loaded. */
  readonly mistakes: readonly Finding[]
}

export async function examineApp(root: string, given: { isProduction: boolean }): Promise<ExaminedApp> {
  const isProduction = given.isProduction || chooseMode(undefined) === "production"
  let config: LoadedConfig["config"] = {}
  try {
    const settings = await loadConfig(root, sourceModules(root))
    config = settings.config
    const loaded = await loadApp(root, settings)
    return { root, isProduction, config, loaded, compiled: await checkApp(loaded), mistakes: [] }
  } catch (error) {
    return { root, isProduction, config, loaded: undefined, compiled: undefined, mistakes: mistakesIn(error) }
  }
}

function mistakesIn(error: unknown): ExaminedApp["mistakes"] {
  if (error instanceof CommandFailure) return [{ status: "fail", message: error.message }]
  if (!(error instanceof AppMistakesError)) throw error
  return error.mistakes.map(({ file, message }) => fail(`${file}: ${message}`, "Fix the file."))
}
