import { findLocaleMistakes } from "../../../schema/compile/locales.ts"
import { findLanguageMistakes } from "../../../schema/search/languages.ts"
import { didYouMean } from "../../../wire/errors/did-you-mean.ts"
import { findBusMistakes } from "../bus-config.ts"
import type { KitConfig } from "../config.ts"
import { findDevMistakes } from "../dev-config.ts"
import { findKeyValueMistakes } from "../key-value-config.ts"
import { findMailMistakes } from "../mail-config.ts"
import { PROVIDER_NAMES } from "../provider-names.ts"
import { findConsoleMistakes } from "./console-settings.ts"
import { isObject, isSetting, type SettingGroup } from "./setting.ts"
import { SETTINGS } from "./settings.ts"
import { findWebMistakes } from "./web-settings.ts"

/** Returns the mistakes in the settings, as sentences for the author. */
export function findConfigMistakes(config: unknown): readonly string[] {
  if (!isObject(config)) return ["the default export is not a configuration. Write: export default defineConfig({})."]
  const { email, kv, bus }: KitConfig = config
  const mistakes = findMistakes(config, SETTINGS, "")
  const stores = [...findKeyValueMistakes(kv), ...findBusMistakes(bus)]
  const ofAuth = [...findUnknownProviders(config), ...findQuietSignUpConflict(config)]
  const apart = [
    findIgnoredAuth(config),
    ofAuth,
    findMailMistakes(email),
    stores,
    findDevMistakes(config),
    findWebMistakes(config),
    findConsoleMistakes(config),
  ]
  const ofLocales = mistakes.some((mistake) => mistake.includes("locales")) ? [] : findInvalidLocales(config)
  const isSure = [...mistakes, ...ofLocales].every((mistake) => !/locales|search/.test(mistake))
  return [...mistakes, ...apart.flat(), ...ofLocales, ...(isSure ? findSearchMistakes(config) : [])]
}

function findSearchMistakes({ search = {}, locales }: KitConfig): readonly string[] {
  return findLanguageMistakes(search, locales)
}

function findInvalidLocales({ locales }: KitConfig): readonly string[] {
  if (locales === undefined) return []
  if (locales.default === undefined || locales.all === undefined)
    return ['the setting "locales" needs "default" and "all": { default: "en", all: ["en", "sk"] }.']
  return findLocaleMistakes(locales)
}

function findUnknownProviders({ auth }: KitConfig): string[] {
  const names = Object.keys(auth?.providers ?? {}).filter((name) => !PROVIDER_NAMES.includes(name))
  return names.map((name) => `there is no provider "${name}" in "auth.providers".${didYouMean(name, PROVIDER_NAMES)}`)
}

function findQuietSignUpConflict({ auth }: KitConfig): string[] {
  if (auth?.signUp !== "quiet" || auth.requireVerifiedEmail !== false) return []
  const why = "a sign-in right after it would reveal whether the address had an account"
  return [`the setting "auth.signUp" cannot be "quiet" while "auth.requireVerifiedEmail" is false: ${why}. Remove one.`]
}

function findIgnoredAuth(config: KitConfig): string[] {
  if (config.sessions === undefined || config.auth === undefined) return []
  return ['the setting "auth" has no effect beside "sessions", which takes its place. Remove one of them.']
}

function findMistakes(given: object, known: SettingGroup, prefix: string): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const entry = Object.hasOwn(known, name) ? known[name] : undefined
    if (entry === undefined) return [`there is no setting "${prefix}${name}".${didYouMean(name, Object.keys(known))}`]
    if (value === undefined) return []
    const members = isSetting(entry) ? entry.members : entry
    if (members !== undefined && isObject(value)) return findMistakes(value, members, `${prefix}${name}.`)
    const expected = isSetting(entry) ? entry.check(value) : "an object"
    return expected === undefined ? [] : [`the setting "${prefix}${name}" must be ${expected}.`]
  })
}
