import { sep } from "node:path"
import type { App } from "../../app/app.ts"
import { PostgresError } from "../../drivers/postgres/errors.ts"
import type { LoadedApp } from "../sources/load-app.ts"
import { CommandFailure } from "../terminal/arguments.ts"
import { showLine, showProgressLine } from "../terminal/show.ts"

/** Runs the seeds that have not run on this database, with progress; resolves to the names of those that ran. */
export async function seedApp(app: App, { seeds, root }: LoadedApp): Promise<readonly string[]> {
  const ran: string[] = []
  for (const seed of [...seeds].sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const names = await app.seed([{ ...seed, progress: showProgressLine }]).catch((error: unknown) => {
      throw failureOf(error, { name: seed.name, root })
    })
    for (const name of names) showLine(`seeded ${name}`)
    ran.push(...names)
  }
  return ran
}

function failureOf(cause: unknown, { name, root }: { name: string; root: string }): unknown {
  if (!(cause instanceof Error) || cause instanceof PostgresError) return cause
  const places = cause.stack?.split("\n").filter((line) => isOwn(line, root)) ?? []
  return new CommandFailure([`${name} failed and was rolled back: ${cause.message}`, ...places].join("\n"), { cause })
}

// True if a line of the stack is a frame in the author's own code. Other frames do not help the author.
function isOwn(line: string, root: string): boolean {
  return line.startsWith("    at ") && line.includes(root + sep) && !line.includes("node_modules")
}
