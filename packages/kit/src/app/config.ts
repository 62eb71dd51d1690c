import type { Logger } from "../ports/logger.ts"
import type { SessionProvider } from "../ports/session-provider.ts"
import { didYouMean } from "../wire/did-you-mean.ts"

/** The settings of an app. Every one has a working default. */
export interface KitConfig {
  readonly app?: { readonly name?: string; readonly url?: string }
  /** Where the API is mounted; `/api` unless set. */
  readonly basePath?: string
  readonly db?: DatabaseConfig
  /** Signs sessions. `KIT_SECRET` unless set; without either, one is made and kept in `.kit/`. */
  readonly secret?: string
  /** Who the caller of a request is; signed cookies unless set. */
  readonly sessions?: SessionProvider
  readonly logger?: Logger
  readonly limits?: { readonly bodyBytes?: number }
}

export interface DatabaseConfig {
  /** A Postgres connection string. `DATABASE_URL` unless set; without either, the embedded database is used. */
  readonly url?: string
  readonly maxConnections?: number
  /** Requests that may wait for a connection; more are answered 503. */
  readonly maxQueue?: number
  readonly statementTimeoutMs?: number
  /** Off for poolers that hand each transaction to another server connection. */
  readonly preparedStatements?: boolean
}

/**
 * Types the settings of `kit.config.ts`; an empty file is fine too.
 *
 * export default defineConfig({ basePath: "/api" })
 */
export function defineConfig(config: KitConfig): KitConfig {
  return Object.freeze(config)
}

const NAMES: Readonly<Record<keyof Required<KitConfig>, (value: unknown) => boolean>> = {
  app: isObject,
  basePath: (value) => typeof value === "string" && /^[\w\-./~]*$/.test(value),
  db: isObject,
  secret: (value) => typeof value === "string" && value.length >= 16,
  sessions: isObject,
  logger: isObject,
  limits: isObject,
}

const EXPECTED: Readonly<Record<string, string>> = {
  basePath: 'a path such as "/api"',
  secret: "a text of at least 16 characters",
}

/** What is wrong with the settings, in sentences for the author. */
export function findConfigMistakes(config: unknown): readonly string[] {
  if (!isObject(config)) return ["the default export is not a configuration. Write: export default defineConfig({})."]
  return Object.entries(config).flatMap(([name, value]) => {
    if (!Object.hasOwn(NAMES, name)) return [`there is no setting "${name}".${didYouMean(name, Object.keys(NAMES))}`]
    const fits = value === undefined || NAMES[name as keyof KitConfig](value)
    return fits ? [] : [`the setting "${name}" must be ${EXPECTED[name] ?? "an object"}.`]
  })
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
