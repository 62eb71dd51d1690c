import type { PasswordHashLimits } from "../../features/auth/passwords/password-semaphore.ts"
import type { OpenApiAudience } from "../../http/endpoints/openapi.ts"
import type { CallerRule } from "../../http/protection/caller-rule.ts"
import type { RateSettings } from "../../http/protection/rate-limits.ts"
import type { Logger } from "../../ports/logger.ts"
import type { SessionProvider } from "../../ports/session-provider.ts"
import type { Locales } from "../../schema/compile/locales.ts"
import type { FilterLimits } from "../../sql/filter/filter-cost.ts"
import type { BusConfig } from "./bus-config.ts"
import type { DevConfig } from "./dev-config.ts"
import type { KeyValueConfig } from "./key-value-config.ts"
import type { LogConfig } from "./log-config.ts"
import type { MailConfig } from "./mail-config.ts"
import type { QueueConfig } from "./queue-config.ts"
import type { RealtimeConfig } from "./realtime-config.ts"
import type { ConsoleConfig } from "./settings/console-config.ts"
import type { SearchConfig } from "./settings/search-settings.ts"
import type { WebConfig } from "./settings/web-settings.ts"
import type { StorageConfig } from "./storage-config.ts"

export const CONFIG_FILE = "kit.config.ts"

/** The settings of an app. Every setting has a working default. */
export interface KitConfig {
  readonly app?: AppSettings
  /** The URL path at which the API is mounted; `/api` unless set. */
  readonly basePath?: string
  readonly db?: DatabaseConfig
  /** How `kit start` serves the app. */
  readonly server?: ServerConfig
  /**
   * Signs sessions; the environment variable `KIT_SECRET` unless set. If neither is set, a secret is generated and kept
   * in `.kit/`, except in production.
   */
  readonly secret?: string
  /** How people sign in. */
  readonly auth?: AuthConfig
  /** The languages of localized fields; English alone unless set. */
  readonly locales?: Locales
  /** Identifies the user who sends a request, in place of kit's own users, `/auth` endpoints and API keys. */
  readonly sessions?: SessionProvider
  /** How mail is delivered. Without this setting, mail is only stored in the database, where it can be read. */
  readonly email?: MailConfig
  /** Where the key-value store `kv` keeps its values; in the app's own database unless set. */
  readonly kv?: KeyValueConfig
  /** How the processes of the app notify each other; through the app's own database unless set. */
  readonly bus?: BusConfig
  /** How jobs are run. */
  readonly queue?: QueueConfig
  /** Where uploaded files are kept. */
  readonly storage?: StorageConfig
  /** The limits on live queries. */
  readonly realtime?: RealtimeConfig
  /** How records are searched. */
  readonly search?: SearchConfig
  /** Writes the lines of the log, in place of pino on standard output. */
  readonly logger?: Logger
  /** The lines that kit itself writes to the log. */
  readonly log?: LogConfig
  readonly limits?: LimitsConfig
  /** Other origins whose pages may call the app with their visitors' cookies. Each origin is compared exactly. */
  readonly cors?: { readonly origins?: readonly string[] }
  /** False if responses should never be compressed, because a proxy in front of the app does it; true unless set. */
  readonly compression?: boolean
  /**
   * The callers who get the OpenAPI document at `/_kit/openapi.json`: all of them (`true`), those with a session or an
   * API key (`"signed-in"`), or none (`false`). `true` in development, otherwise `"signed-in"`, unless set.
   */
  readonly openapi?: OpenApiAudience
  /**
   * The rule for the calls that only developers of the app may use, such as the OpenAPI document of the whole app; users with the role
   * `admin` unless set. Never a caller with an API key. For everyone else, these calls do not exist.
   */
  readonly developer?: CallerRule
  /** The console, the app's pages for editors and developers, at `/admin` unless set. False if the app has none. */
  readonly console?: ConsoleConfig
  /** Web pages that are served beside the API. */
  readonly web?: WebConfig
  /** Settings of `kit dev`. They have no effect in production. */
  readonly dev?: DevConfig
}

export interface LimitsConfig {
  readonly bodyBytes?: number
  /**
   * The maximum body size for URL paths that take many records per request. For a caller who is not signed in,
   * `bodyBytes` applies to these paths too.
   */
  readonly bulkBodyBytes?: number
  /** How many of a caller's request bodies over 256 KiB are processed at the same time; others wait. 2 unless set. */
  readonly largeBodies?: number
  /** The maximum response size for a read of records; 10 MiB unless set. Routes and system code may return more. */
  readonly answerBytes?: number
  /** The maximum size of the request body that a raw route reads. */
  readonly rawBodyBytes?: number
  /** Limits the cost of the filters in requests. */
  readonly filter?: Partial<FilterLimits>
  /** How many passwords are hashed at the same time, and how many further requests may wait to hash one. */
  readonly passwords?: Partial<PasswordHashLimits>
  /** Sets the rate limits. `false` turns off every rate limit, even the limit on sign-in attempts. */
  readonly rate?: RateSettings | false
  /** The number of proxies in front of the app that add the caller's IP address to X-Forwarded-For; 0 unless set. */
  readonly trustedProxies?: number
  /**
   * The time after which a caller's SQL statement is cancelled; 10,000 unless set. The setting for system code is
   * `db.statementTimeoutMs`.
   */
  readonly statementMs?: number
  /** The time after which a statement of a caller's search is cancelled; 3,000 unless set. */
  readonly searchMs?: number
  /** How long a caller's SQL statement waits for a lock; 3,000 unless set. */
  readonly lockMs?: number
  /** The share of the database connections that one caller may hold while other callers wait; 0.5 unless set. */
  readonly poolShare?: number
}

interface ServerConfig {
  /**
   * How long `kit start` continues to serve after the signal to stop, while `/_kit/ready` answers 503 and each response
   * closes its connection; 1,500 unless set. Unless set, the environment variable `KIT_DRAIN_MS` is used.
   */
  readonly drainMs?: number
}

interface AppSettings {
  readonly name?: string
  /**
   * The app's public URL. Links in mails start with it. If it begins with https, cookies are sent over https only; in
   * production this is the default.
   */
  readonly url?: string
  /** A line that is printed at every start, such as the account to sign in with. */
  readonly note?: string
}

export interface DatabaseConfig {
  /**
   * A PostgreSQL connection string; the environment variable `DATABASE_URL` unless set. If neither is set, the embedded
   * database is used.
   */
  readonly url?: string
  /**
   * How long `kit start` and `kit worker` wait for a database that they cannot reach; 60,000 unless set. Unless set,
   * the environment variable `KIT_DATABASE_WAIT_MS` is used.
   */
  readonly waitMs?: number
  readonly maxConnections?: number
  /** How many requests may wait for a database connection; further requests get the status 503. */
  readonly maxQueue?: number
  readonly statementTimeoutMs?: number
  /** Set to false for connection poolers that may run each transaction on a different server connection. */
  readonly preparedStatements?: boolean
  /** Settings of the embedded database. */
  readonly embedded?: EmbeddedConfig
}

interface EmbeddedConfig {
  /**
   * The folder that holds the programs of an installed PostgreSQL, 15 or newer, such as `/usr/lib/postgresql/17/bin`.
   * These programs run the embedded database in place of the programs that come with kit. A relative path is resolved
   * from the app's folder. Unless set, the environment variable `KIT_POSTGRES_BIN` names the folder.
   */
  readonly binaries?: string
}

export interface AuthConfig {
  /**
   * True if people may sign up themselves; false unless set. With "quiet", no response reveals whether an email address
   * has an account. The next step comes by mail, and an email address has to be confirmed before its owner can sign in.
   */
  readonly signUp?: boolean | "quiet"
  /** True if an email address must be confirmed before its owner can sign in; false unless set. */
  readonly requireVerifiedEmail?: boolean
  /** After how many days an unused session expires; 7 unless set. A session in use is renewed each day. */
  readonly sessionDays?: number
  /** Other services to sign in with, each with its issued credentials: `{ github: { clientId, clientSecret } }`. */
  readonly providers?: Readonly<Record<string, ProviderConfig>>
  /** Origins, besides the app's own, to which a browser may be redirected: `["https://app.example.com"]`. */
  readonly trustedRedirects?: readonly string[]
}

export interface ProviderConfig {
  readonly clientId: string
  readonly clientSecret: string
  readonly [setting: string]: unknown
}

/**
 * Declares the settings in `kit.config.ts` with their types; a configuration file may also be empty.
 *
 * export default defineConfig({ basePath: "/api" })
 */
export function defineConfig(config: KitConfig): KitConfig {
  return Object.freeze(config)
}
