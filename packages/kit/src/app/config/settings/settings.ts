import { BUS_SETTINGS } from "../bus-config.ts"
import type { KitConfig } from "../config.ts"
import { DEV_SETTINGS } from "../dev-config.ts"
import { KEY_VALUE_SETTINGS } from "../key-value-config.ts"
import { LOG_SETTINGS } from "../log-config.ts"
import { MAIL_SETTINGS } from "../mail-config.ts"
import { ORIGINS, WEB_ADDRESS } from "../protection-settings.ts"
import { QUEUE_SETTINGS } from "../queue-config.ts"
import { REALTIME_SETTINGS } from "../realtime-config.ts"
import { STORAGE_SETTINGS } from "../storage-config.ts"
import { CONSOLE_SETTING } from "./console-settings.ts"
import { LIMIT_SETTINGS } from "./limit-settings.ts"
import { OPENAPI_AUDIENCE } from "./openapi-settings.ts"
import { SEARCH_SETTINGS } from "./search-settings.ts"
import { isObject, type Setting, type SettingGroup, type SettingType } from "./setting.ts"
import {
  CALLER_RULE,
  COUNT,
  COUNT_OR_ZERO,
  DAYS,
  FLAG,
  isNonEmptyText,
  OBJECT,
  TEXT,
  TEXTS,
  TEXTS_BY_TEXT,
} from "./setting-types.ts"
import { WEB_SETTINGS } from "./web-settings.ts"

const MIN_SECRET_CHARACTERS = 16

const URL_PATH: SettingType = {
  type: "path",
  check: (value) => (typeof value === "string" && /^[\w\-./~]*$/.test(value) ? undefined : 'a path such as "/api"'),
}

const SECRET: SettingType = {
  type: `text of at least ${MIN_SECRET_CHARACTERS} characters`,
  check: (value) =>
    typeof value === "string" && value.length >= MIN_SECRET_CHARACTERS
      ? undefined
      : `a text of at least ${MIN_SECRET_CHARACTERS} characters`,
}

const SIGN_UP: SettingType = {
  type: '`true`, `false` or `"quiet"`',
  check: (value) => (typeof value === "boolean" || value === "quiet" ? undefined : 'true, false or "quiet"'),
}

const PROVIDERS: SettingType = {
  type: "object of `{ clientId, clientSecret }`",
  check: (value) =>
    isObject(value) && Object.values(value).every(isProvider)
      ? undefined
      : "an object such as { github: { clientId, clientSecret } }",
}

/** Every setting of `defineConfig`, in the order in which `docs/settings.md` lists them. */
export const SETTINGS: Readonly<Record<keyof Required<KitConfig>, Setting | SettingGroup>> = {
  app: {
    name: { ...TEXT, default: "`kit`", purpose: "the app's name, shown at the start and available in every context" },
    url: {
      ...WEB_ADDRESS,
      default: "none",
      purpose:
        "the public address of the app; pages from there may write with cookies, links in mails start with it; makes [cookies Secure](http.md#identity) or not; set it in production",
    },
    note: { ...TEXT, default: "none", purpose: "a line that is shown at every start" },
  },
  basePath: {
    ...URL_PATH,
    default: "`/api`",
    purpose: "the path at which the API is mounted; the client must use the same",
  },
  server: {
    drainMs: {
      ...COUNT_OR_ZERO,
      default: "`KIT_DRAIN_MS`, otherwise 1 500",
      purpose: "how long `kit start` continues to serve [after the signal to stop](command-line.md#kit-start)",
    },
  },
  db: {
    url: {
      ...TEXT,
      default: "`DATABASE_URL`, otherwise the embedded database",
      purpose: "the address of [your own PostgreSQL](databases.md#your-own-postgresql)",
    },
    waitMs: {
      ...COUNT_OR_ZERO,
      default: "`KIT_DATABASE_WAIT_MS`, otherwise 60 000",
      purpose:
        "how long `kit start` and `kit worker` [wait for a database](databases.md#a-database-that-is-away) that is away at their start",
    },
    maxConnections: { ...COUNT, default: "10", purpose: "the connections of one process to the database" },
    maxQueue: { ...COUNT, default: "500", purpose: "requests that may wait for a connection; more get 503" },
    statementTimeoutMs: {
      ...COUNT,
      default: "30 000",
      purpose:
        "after this time the server cancels a statement of system code; for statements of callers see `limits.statementMs`",
    },
    preparedStatements: { ...FLAG, default: "`true`", purpose: "`false` behind a transaction pooler" },
    embedded: {
      binaries: {
        ...TEXT,
        default: "`KIT_POSTGRES_BIN`, otherwise those of kit",
        purpose:
          "the folder of an installed PostgreSQL whose [programs](databases.md#its-programs) run the embedded database",
      },
    },
  },
  secret: {
    ...SECRET,
    default: "`KIT_SECRET`, otherwise one kept in `.kit/secret`",
    purpose: "signs sessions; in production it must be set, with at least 32 characters",
  },
  auth: {
    signUp: {
      ...SIGN_UP,
      default: "`false`",
      purpose: 'lets people create their own account; `"quiet"` does not reveal who has one',
    },
    requireVerifiedEmail: {
      ...FLAG,
      default: "`false`",
      purpose: "an address must be confirmed before its owner can sign in",
    },
    sessionDays: {
      ...DAYS,
      default: "7",
      purpose: "the days after which an unused session expires; a session in use is renewed each day",
    },
    providers: {
      ...PROVIDERS,
      default: "none",
      purpose: "other services to sign in with: `{ github: { clientId, clientSecret } }` and the like",
    },
    trustedRedirects: {
      ...ORIGINS,
      default: "none",
      purpose: "origins besides the app's own that a browser may be redirected to",
    },
  },
  locales: {
    default: {
      ...TEXT,
      default: "`en`",
      purpose: "the language of values without one; see [localization](localization.md)",
    },
    all: { ...TEXTS, default: '`["en"]`', purpose: "every language that values may have" },
    fallback: {
      ...TEXTS_BY_TEXT,
      default: "the default language",
      purpose: 'the languages that replace a missing value: `{ sk: ["cs"] }`',
    },
  },
  sessions: {
    ...OBJECT,
    default: "the users of kit",
    purpose: "your own session provider, in place of the users, `/auth` and API keys of kit",
  },
  email: MAIL_SETTINGS,
  kv: KEY_VALUE_SETTINGS,
  bus: BUS_SETTINGS,
  queue: QUEUE_SETTINGS,
  storage: STORAGE_SETTINGS,
  realtime: REALTIME_SETTINGS,
  search: SEARCH_SETTINGS,
  logger: {
    ...OBJECT,
    default: "lines of JSON on standard output, from the level `KIT_LOG_LEVEL` on",
    purpose: "your own logger, with the functions `info`, `warn` and `error`",
  },
  log: LOG_SETTINGS,
  limits: LIMIT_SETTINGS,
  cors: {
    origins: {
      ...ORIGINS,
      default: "none",
      purpose: "other origins whose pages may call the app with cookies, written exactly: `https://app.example.com`",
    },
  },
  compression: {
    ...FLAG,
    default: "`true`",
    purpose:
      "`false` if [responses should not be compressed](http.md#compression), because a proxy in front of the app does it",
  },
  openapi: {
    ...OPENAPI_AUDIENCE,
    default: '`true` with `kit dev`, otherwise `"signed-in"`',
    purpose: "who gets [the OpenAPI document](openapi.md): everyone, callers with a session or an API key, or nobody",
  },
  developer: {
    ...CALLER_RULE,
    default: "the role `admin`",
    purpose:
      "who may use the calls for developers, such as [the OpenAPI document of the whole app](openapi.md#the-whole-app); a function gets the context of a rule and allows by `true`",
  },
  console: CONSOLE_SETTING,
  web: WEB_SETTINGS,
  dev: DEV_SETTINGS,
}

function isProvider(value: unknown): boolean {
  return isObject(value) && ["clientId", "clientSecret"].every((name) => isNonEmptyText(Reflect.get(value, name)))
}
