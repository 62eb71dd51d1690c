import { DatabaseStartError } from "../../app/config/database-start-error.ts"
import { AppMistakesError } from "../../app/definition/app-mistakes.ts"
import { PostgresError } from "../../drivers/postgres/errors.ts"
import { SchemaMismatchError } from "../../engine/migrate/schema-mismatch.ts"
import { CommandFailure } from "./arguments.ts"

const DATABASE_HINT = "Check DATABASE_URL (or db.url in kit.config.ts); without it the embedded database is used."

/** Returns the text that explains to the user why a command has failed. */
export function explainFailure(error: unknown): string {
  if (error instanceof PostgresError) return `${error.message}\n${DATABASE_HINT}`
  if (isExplained(error)) return error.message
  return error instanceof Error ? `${error.stack}` : String(error)
}

// Error classes whose messages are written for the user and are shown without a stack.
const EXPLAINED = [CommandFailure, AppMistakesError, SchemaMismatchError, DatabaseStartError]

function isExplained(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  // True for errors such as a full disk: Node's message names the file path, and a stack would not help.
  const isOfSystem = "syscall" in error && "path" in error
  return isOfSystem || EXPLAINED.some((kind) => error instanceof kind)
}
