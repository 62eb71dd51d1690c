import type { CallerRule } from "../../../http/protection/caller-rule.ts"
import { isBelow, normalizeBasePath } from "../../../wire/paths/paths.ts"
import { basePathOf } from "../base-path.ts"
import type { KitConfig } from "../config.ts"
import { ORIGINS } from "../protection-settings.ts"
import type { Setting, SettingType } from "./setting.ts"
import { CALLER_RULE, NON_EMPTY_TEXT } from "./setting-types.ts"

const DEFAULT_PATH = "/admin"
const PATH = /^(?:\/[\w~-][\w.~-]*)+\/?$/
const ACCENT = /^#(?:[\da-f]{3}|[\da-f]{6})$/i

const CONSOLE_PATH: SettingType = {
  type: "path",
  check: (value) =>
    typeof value === "string" && PATH.test(value) ? undefined : 'a path such as "/admin", which starts with a slash',
}

const COLOR: SettingType = {
  type: "color",
  check: (value) =>
    typeof value === "string" && ACCENT.test(value) ? undefined : 'a color in hexadecimal digits such as "#2453d6"',
}

export const CONSOLE_SETTING: Setting = {
  type: "object or `false`",
  check: (value) => (value === false ? undefined : 'false, or an object such as { path: "/admin" }'),
  default: "a console for the role `admin`",
  purpose: "`false` for an app without [the console](console.md)",
  members: {
    path: {
      ...CONSOLE_PATH,
      default: "`/admin`, except in a host framework",
      purpose: "the path of the console, outside of `basePath`",
    },
    access: {
      ...CALLER_RULE,
      default: "the role `admin`",
      purpose: "who may open the console; a function gets the context of a rule and allows by `true`",
    },
    preview: {
      origins: { ...ORIGINS, default: "none", purpose: "the pages that the console may show beside a record" },
    },
    brand: {
      name: { ...NON_EMPTY_TEXT, default: "`app.name`", purpose: "the name that the console shows" },
      accent: {
        ...COLOR,
        default: "blue",
        purpose: "the color of selection, focus and links: `#2453d6`",
      },
    },
  },
}

/** Returns the mistakes in the setting `console` that concern the base path, too. */
export function findConsoleMistakes(config: KitConfig): string[] {
  const path = givenPath(config)
  if (path === undefined || CONSOLE_PATH.check(path) !== undefined) return []
  const basePath = basePathOf(config)
  if (!isBelow(basePath, normalizeBasePath(path))) return []
  const place = `The API answers there, and the console is at "${basePath}/_kit/console" in any case.`
  return [`the setting "console.path" must not be "basePath" or a path below it. ${place} Set another path.`]
}

/** The console of an app, with the defaults of its settings. */
export interface ConsoleSetting {
  /** The path of the console outside of the base path; undefined if the API answers at the default path. */
  readonly path: string | undefined
  /** True if the author has chosen the path, so that a host framework leaves it to the app. */
  readonly isPathSet: boolean
  readonly access: CallerRule | undefined
  readonly previewOrigins: readonly string[]
  readonly brand: { readonly name: string | undefined; readonly accent: string | undefined }
}

/** Returns the console of an app; undefined if it has none. */
export function consoleSettingOf(config: KitConfig): ConsoleSetting | undefined {
  const { console: given = {} } = config
  if (given === false) return undefined
  const path = normalizeBasePath(given.path ?? DEFAULT_PATH)
  return {
    path: isBelow(basePathOf(config), path) ? undefined : path,
    isPathSet: given.path !== undefined,
    access: given.access,
    previewOrigins: given.preview?.origins ?? [],
    brand: { name: given.brand?.name, accent: given.brand?.accent },
  }
}

// The configuration may be wrong here in any way: it is being checked.
function givenPath({ console: given }: KitConfig): string | undefined {
  const path: unknown = typeof given === "object" && given !== null ? given.path : undefined
  return typeof path === "string" ? path : undefined
}
