import { AppMistakesError } from "../../app/app-mistakes.ts"
import { checkApp } from "../../app/check-app.ts"
import type { CompiledDefinition } from "../../app/compile-definition.ts"
import { chooseMode } from "../../app/defaults.ts"
import { type LoadedApp, type LoadedConfig, loadApp, loadConfig } from "../load-app.ts"
import { sourceModules } from "../source-modules.ts"

/** The app that is looked at, as far as it could be loaded. */
export interface Patient {
  readonly root: string
  readonly isProduction: boolean
  readonly config: LoadedConfig["config"]
  readonly app: { readonly loaded: LoadedApp; readonly compiled: CompiledDefinition } | undefined
  /** Why there is no app. */
  readonly mistakes: readonly string[]
}

export async function examine(root: string, given: { isProduction: boolean }): Promise<Patient> {
  const isProduction = given.isProduction || chooseMode(undefined) === "production"
  const settings = await loadConfig(root, sourceModules(root))
  const known = { root, isProduction, config: settings.config }
  try {
    const loaded = await loadApp(root, settings)
    return { ...known, app: { loaded, compiled: await checkApp(loaded) }, mistakes: [] }
  } catch (error) {
    if (!(error instanceof AppMistakesError)) throw error
    return { ...known, app: undefined, mistakes: error.mistakes.map(({ file, message }) => `${file}: ${message}`) }
  }
}
