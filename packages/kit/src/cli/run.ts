import { AppMistakesError } from "../app/app-mistakes.ts"
import { PostgresError } from "../drivers/postgres-errors.ts"
import { SchemaMismatchError } from "../engine/migrate/schema-mismatch.ts"
import { didYouMean } from "../wire/did-you-mean.ts"
import { UsageError } from "./arguments.ts"

const DATABASE_HINT = "Check DATABASE_URL (or db.url in kit.config.ts); without it the embedded database is used."

type Run = (args: readonly string[]) => Promise<void>

interface Command {
  readonly usage: string
  readonly purpose: string
  /** Loads the command: a start should not wait for what only other commands need. */
  load(): Promise<Run>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  dev: {
    usage: "dev [--port 3000]",
    purpose: "serve the app and follow changes of its files",
    load: async () => (await import("./commands/dev.ts")).dev,
  },
  start: {
    usage: "start [--port 3000] [--host localhost] [--seed]",
    purpose: "serve the app",
    load: async () => (await import("./commands/start.ts")).start,
  },
  worker: {
    usage: "worker",
    purpose: "run the app's jobs, without serving it",
    load: async () => (await import("./commands/worker.ts")).worker,
  },
  generate: {
    usage: "generate",
    purpose: "write the app's types into src/generated",
    load: async () => (await import("./commands/generate.ts")).generate,
  },
  migrate: {
    usage: "migrate plan|create [name]|up|status [--accept-data-loss]",
    purpose: "show, write and apply changes of the tables",
    load: async () => (await import("./commands/migrate.ts")).migrate,
  },
  seed: {
    usage: "seed",
    purpose: "run the seeds that the database has not had yet",
    load: async () => (await import("./commands/seed.ts")).seed,
  },
  jobs: {
    usage: "jobs list [--state s] [--name n] [--limit 50] [--json] | show|retry|cancel <id>",
    purpose: "look at stored jobs, run them again, remove them",
    load: async () => (await import("./commands/jobs.ts")).jobs,
  },
  user: {
    usage: "user create --email e --name n [--password p] [--role r | --admin] | list",
    purpose: "make and list the people who can sign in",
    load: async () => (await import("./commands/user.ts")).user,
  },
  db: {
    usage: "db url [--wait] | status | move <url> [--schema a,b] [--allow-others]    [--json]",
    purpose: "find the database, look into it, copy it into another PostgreSQL",
    load: async () => (await import("./commands/db.ts")).db,
  },
}

/** Runs the command line; resolves to the exit code. */
export async function runCommand([name = "help", ...args]: readonly string[]): Promise<number> {
  if (name === "help" || name === "--help" || name === "-h") return showHelp()
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return fail(`There is no command "${name}".${didYouMean(name, Object.keys(COMMANDS))}`)
  try {
    const run = await command.load()
    await run(args)
    return 0
  } catch (error) {
    if (error instanceof UsageError) return fail(`${error.message}\nUsage: kit ${command.usage}`)
    if (error instanceof AppMistakesError || error instanceof SchemaMismatchError) return fail(error.message)
    if (error instanceof PostgresError) return fail(`${error.message}\n${DATABASE_HINT}`)
    return fail(error instanceof Error ? `${error.stack}` : String(error))
  }
}

function showHelp(): number {
  const width = Math.max(...Object.values(COMMANDS).map(({ usage }) => usage.length))
  const lines = Object.values(COMMANDS).map(({ usage, purpose }) => `  kit ${usage.padEnd(width)}  ${purpose}`)
  process.stdout.write(`${lines.join("\n")}\n`)
  return 0
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`)
  return 1
}
