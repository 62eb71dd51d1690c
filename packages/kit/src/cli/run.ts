import { AppMistakesError } from "../app/app-mistakes.ts"
import { PostgresError } from "../drivers/postgres-errors.ts"
import { SchemaMismatchError } from "../engine/migrate/schema-mismatch.ts"
import { didYouMean } from "../wire/did-you-mean.ts"
import { UsageError } from "./arguments.ts"
import { dev } from "./commands/dev.ts"
import { generate } from "./commands/generate.ts"
import { migrate } from "./commands/migrate.ts"
import { seed } from "./commands/seed.ts"
import { start } from "./commands/start.ts"
import { user } from "./commands/user.ts"
import { worker } from "./commands/worker.ts"

const DATABASE_HINT = "Check DATABASE_URL (or db.url in kit.config.ts); without it the embedded database is used."

interface Command {
  readonly usage: string
  readonly purpose: string
  run(args: readonly string[]): Promise<void>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  dev: { usage: "dev [--port 3000]", purpose: "serve the app and follow changes of its files", run: dev },
  start: { usage: "start [--port 3000] [--host localhost] [--seed]", purpose: "serve the app", run: start },
  worker: { usage: "worker", purpose: "run the app's jobs, without serving it", run: worker },
  generate: { usage: "generate", purpose: "write the app's types into src/generated", run: generate },
  migrate: {
    usage: "migrate plan|create [name]|up|status [--accept-data-loss]",
    purpose: "show, write and apply changes of the tables",
    run: migrate,
  },
  seed: { usage: "seed", purpose: "run the seeds that the database has not had yet", run: seed },
  user: {
    usage: "user create --email e --name n [--password p] [--role r | --admin] | list",
    purpose: "make and list the people who can sign in",
    run: user,
  },
}

/** Runs the command line; resolves to the exit code. */
export async function runCommand([name = "help", ...args]: readonly string[]): Promise<number> {
  if (name === "help" || name === "--help" || name === "-h") return showHelp()
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) return fail(`There is no command "${name}".${didYouMean(name, Object.keys(COMMANDS))}`)
  try {
    await command.run(args)
    return 0
  } catch (error) {
    if (error instanceof UsageError) return fail(`${error.message}\nUsage: kit ${command.usage}`)
    if (error instanceof AppMistakesError || error instanceof SchemaMismatchError) return fail(error.message)
    if (error instanceof PostgresError) return fail(`${error.message}\n${DATABASE_HINT}`)
    return fail(error instanceof Error ? `${error.stack}` : String(error))
  }
}

function showHelp(): number {
  const lines = Object.values(COMMANDS).map(({ usage, purpose }) => `  kit ${usage.padEnd(56)}${purpose}`)
  process.stdout.write(`${lines.join("\n")}\n`)
  return 0
}

function fail(message: string): number {
  process.stderr.write(`${message}\n`)
  return 1
}
