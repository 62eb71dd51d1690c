/** An environment variable that kit reads. `docs/settings.md` is made from these descriptions, which are Markdown. */
interface Variable {
  /** The value, or the behaviour, if the variable is not set. */
  readonly default: string
  readonly purpose: string
  /** The commands or functions that read it. */
  readonly readBy: string
}

const EVERY_APP = "every command, `createApp`"

/** Every environment variable of kit, in the order in which `docs/settings.md` lists them. */
export const ENVIRONMENT = {
  NODE_ENV: {
    default: "not production",
    purpose: "`production` requires a strong secret; see [the modes](guide.md#settings)",
    readBy: EVERY_APP,
  },
  DATABASE_URL: {
    default: "the embedded database",
    purpose: "the address of [your own PostgreSQL](databases.md#your-own-postgresql); `db.url` takes precedence",
    readBy: `${EVERY_APP}, \`kit/testing\``,
  },
  KIT_SECRET: {
    default: "one that is generated and kept in `.kit/secret`, except in production",
    purpose:
      "signs sessions and encrypts [cursors](paging.md#what-a-cursor-is); the same for all instances of an app; `secret` takes precedence",
    readBy: EVERY_APP,
  },
  PORT: {
    default: "3000",
    purpose: "the port to listen on; `--port` takes precedence",
    readBy: "`kit dev`, `kit start`, `kit doctor`",
  },
  HOST: {
    default: "`localhost`",
    purpose: "the address to listen on, `0.0.0.0` for all of the machine; `--host` takes precedence",
    readBy: "`kit dev`, `kit start`, `kit doctor`",
  },
  KIT_DRAIN_MS: {
    default: "1 500",
    purpose:
      "how long the server continues to serve [after the signal to stop](command-line.md#kit-start); `server.drainMs` takes precedence",
    readBy: "`kit start`",
  },
  KIT_DATABASE_WAIT_MS: {
    default: "60 000",
    purpose:
      "how long to [wait for a database](databases.md#a-database-that-is-away) that is away at the start; `db.waitMs` takes precedence",
    readBy: "`kit start`, `kit worker`",
  },
  KIT_LOG_LEVEL: {
    default: "`info`",
    purpose: "the lowest level that is logged: `trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`",
    readBy: "every app without its own `logger`",
  },
  KIT_POSTGRES_BIN: {
    default: "the programs that come with kit",
    purpose:
      "the folder of an installed PostgreSQL whose [programs](databases.md#its-programs) run the embedded database; `db.embedded.binaries` takes precedence",
    readBy: `${EVERY_APP}, \`kit/testing\``,
  },
  KIT_TEST_DATABASE_URL: {
    default: "`DATABASE_URL`, otherwise an embedded database in `.kit/test-db`",
    purpose: "the PostgreSQL on which [tests](testing.md) create their databases",
    readBy: "`kit/testing`",
  },
  KIT_GENERAL_PATH: {
    default: "0",
    purpose: "`1` turns off the shortcuts of kit, to find out whether one of them is the cause of a problem",
    readBy: EVERY_APP,
  },
  KIT_DEV_PID: {
    default: "none",
    purpose: "the process id of the `kit dev` that has started the app; `kit dev` sets it itself",
    readBy: "`kit start`",
  },
} as const satisfies Readonly<Record<string, Variable>>

/** Reads an environment variable. A variable that is set to an empty text counts as not set. */
export function readVariable(name: keyof typeof ENVIRONMENT): string | undefined {
  return process.env[name] || undefined
}
