import type { Logger } from "../ports/logger.ts"
import type { SessionProvider } from "../ports/session-provider.ts"
import { didYouMean } from "../wire/did-you-mean.ts"

export const CONFIG_FILE = "kit.config.ts"

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
  /** The longest body in bytes: of JSON, and of a request that a raw route reads. */
  readonly limits?: { readonly bodyBytes?: number; readonly rawBodyBytes?: number }
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

type Check = (value: unknown) => string | undefined

const isText: Check = (value) => (typeof value === "string" ? undefined : "a text")
const isFlag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false")
const isCount: Check = (value) => (Number.isInteger(value) && Number(value) >= 1 ? undefined : "a whole number from 1")
const isPart: Check = (value) => (isObject(value) ? undefined : "an object")
const isPath: Check = (value) =>
  typeof value === "string" && /^[\w\-./~]*$/.test(value) ? undefined : 'a path such as "/api"'
const isSecret: Check = (value) =>
  typeof value === "string" && value.length >= 16 ? undefined : "a text of at least 16 characters"

const SETTINGS: Readonly<Record<keyof Required<KitConfig>, Check | Readonly<Record<string, Check>>>> = {
  app: { name: isText, url: isText },
  basePath: isPath,
  db: {
    url: isText,
    maxConnections: isCount,
    maxQueue: isCount,
    statementTimeoutMs: isCount,
    preparedStatements: isFlag,
  },
  secret: isSecret,
  sessions: isPart,
  logger: isPart,
  limits: { bodyBytes: isCount, rawBodyBytes: isCount },
}

/** What is wrong with the settings, in sentences for the author. */
export function findConfigMistakes(config: unknown): readonly string[] {
  if (!isObject(config)) return ["the default export is not a configuration. Write: export default defineConfig({})."]
  return findMistakes(config, SETTINGS, "")
}

function findMistakes(
  given: object,
  known: Readonly<Record<string, Check | Readonly<Record<string, Check>>>>,
  prefix: string,
): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const check = Object.hasOwn(known, name) ? known[name] : undefined
    if (check === undefined) return [`there is no setting "${prefix}${name}".${didYouMean(name, Object.keys(known))}`]
    if (value === undefined) return []
    if (typeof check !== "function" && isObject(value)) return findMistakes(value, check, `${prefix}${name}.`)
    const expected = typeof check === "function" ? check(value) : "an object"
    return expected === undefined ? [] : [`the setting "${prefix}${name}" must be ${expected}.`]
  })
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
