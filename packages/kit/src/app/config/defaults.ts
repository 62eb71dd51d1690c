import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { startEmbeddedPostgres } from "../../drivers/embedded-postgres/start.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { AppMode, ChosenDatabase, DatabaseOptions } from "../definition/app-definition.ts"
import { AppMistakesError } from "../definition/app-mistakes.ts"
import { DatabaseStartError } from "./database-start-error.ts"
import { readVariable } from "./environment.ts"
import { requireStrongSecret } from "./strong-secret.ts"

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"]

/** Returns the log level from the environment variable; refuses an unknown level before the first line is logged. */
export function chooseLogLevel(): string {
  const given = readVariable("KIT_LOG_LEVEL") ?? "info"
  const level = given.toLowerCase()
  if (LOG_LEVELS.includes(level)) return level
  const message = `"${given}" is not a log level.${didYouMean(level, LOG_LEVELS)}`
  throw new AppMistakesError([{ file: "KIT_LOG_LEVEL", message }])
}

/** Returns the requested mode, otherwise the mode that `NODE_ENV` implies. */
export function chooseMode(mode: AppMode | undefined): AppMode {
  return mode ?? (readVariable("NODE_ENV") === "production" ? "production" : "local")
}

/** Returns the database that the configuration or the environment sets; otherwise starts the embedded database. */
export async function chooseDatabase({ config, root, onProgress }: DatabaseOptions): Promise<ChosenDatabase> {
  const url = config.db?.url || readVariable("DATABASE_URL")
  if (url) {
    requirePostgresUrl(url)
    const databaseNote = `Postgres at ${displayAddress(url)}`
    return { url, isEmbedded: false, databaseNote, release: () => Promise.resolve() }
  }
  const directory = join(root, ".kit", "db")
  const options = { directory, binaries: chooseBinaries({ config, root }), ...(onProgress && { onProgress }) }
  const embedded = await startEmbeddedPostgres(options).catch(rethrowAsStartError)
  const verb = embedded.adopted ? "already running" : `started in ${(embedded.startedInMs / 1000).toFixed(1)} s`
  return {
    url: embedded.url,
    isEmbedded: true,
    databaseNote: `embedded Postgres ${embedded.version} in .kit/db (${verb})`,
    watch: (listener) => embedded.watch(listener),
    release: () => embedded.release(),
  }
}

/** Returns the configured folder of an installed PostgreSQL whose programs run the embedded database. */
export function chooseBinaries({ config, root }: Pick<DatabaseOptions, "config" | "root">): string | undefined {
  const folder = config.db?.embedded?.binaries || readVariable("KIT_POSTGRES_BIN")
  return folder ? resolve(root, folder) : undefined
}

// Throws unless the value looks like a PostgreSQL connection string, or like the path of a folder that holds a Unix
// socket. The error message does not repeat the value, which may contain a password.
function requirePostgresUrl(url: string): void {
  if (/^(postgres(ql)?:\/\/|socket:|\/)./.test(url)) return
  throw new DatabaseStartError(
    "DATABASE_URL, or db.url in kit.config.ts, is not the address of a PostgreSQL. Write it as postgres://user:password@host:5432/name.",
  )
}

// Converts a plain `Error` of the embedded database's driver, whose message is written for people, into a start error.
// An error of any other class is a bug, and is rethrown with its stack.
function rethrowAsStartError(error: Error): never {
  if (error.name !== "Error") throw error
  throw new DatabaseStartError(error.message, { cause: error })
}

/** Returns the folder of the embedded database; undefined if the app uses another database. */
export function embeddedFolder({ config, root }: DatabaseOptions): string | undefined {
  return config.db?.url || readVariable("DATABASE_URL") ? undefined : join(root, ".kit", "db")
}

/** True if there is a database to open. The embedded database exists once the app has been started. */
export function hasDatabase({ config, root }: DatabaseOptions): boolean {
  const url = config.db?.url || readVariable("DATABASE_URL")
  return Boolean(url) || existsSync(join(root, ".kit", "db"))
}

// Shows only the host and path of a connection string, because the rest may contain a password.
function displayAddress(url: string): string {
  return URL.canParse(url) ? `${new URL(url).host}${new URL(url).pathname}` : "the configured address"
}

/** Returns the configured secret, or a secret that is generated at the first start and stored in `.kit/`. */
export async function chooseSecret(configured: string | undefined, root: string, mode?: AppMode): Promise<string> {
  const given = configured || readVariable("KIT_SECRET")
  if (chooseMode(mode) === "production") requireStrongSecret(given)
  if (given) return given
  const directory = join(root, ".kit")
  const file = join(directory, "secret")
  await mkdir(directory, { recursive: true })
  const made = randomBytes(32).toString("base64url")
  // Two processes may start at the same time. The process that creates the file first decides the secret.
  await writeFile(file, made, { flag: "wx", mode: 0o600 }).catch(ignoreExisting)
  await chmod(file, 0o600)
  return (await readFile(file, "utf8")).trim()
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST") throw error
}
