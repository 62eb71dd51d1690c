import type { Connection, DatabaseError } from "../../../ports/database.ts"
import { quoteText } from "../../../sql/text/literal.ts"
import { SchemaMismatchError } from "../schema-mismatch.ts"

/** The SQL of a migration, or a part of it, with the sentence for the case that it fails. */
interface Script {
  readonly sql: string
  /** Returns the error message. `reason` consists of sentences about the cause and its remedy. */
  explain(this: void, reason: string): string
}

/**
 * Runs the SQL of a migration. The driver accepts only one SQL command per statement. A DO block runs all commands of
 * the script, and rejects a COMMIT among them.
 */
export async function runScript(connection: Connection, { sql, explain }: Script): Promise<void> {
  try {
    await connection.query({ text: `do ${quoteText(`begin execute ${quoteText(sql)}; end`)}`, values: [] })
  } catch (cause) {
    // The cast is safe: all members are optional. Errors that do not come from the driver have no code and are
    // rethrown.
    const { code, message, detail } = cause as Partial<DatabaseError>
    if (code === undefined || !/^(0A|2|42)/.test(code)) throw cause
    const sentences = [`${message}.`, detail, REMEDIES[code]]
    throw new SchemaMismatchError(explain(sentences.filter(Boolean).join(" ")), { cause })
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  "23502": "Give the field a .default(…) and create the migration again, or fill the column in the file.",
  "23503": "Change the records first.",
  "23505": "Change the records first.",
  "42P07": "The database has it already: was it synced to another state of the schema? See docs/migrations.md.",
  "42701": "The database has it already: was it synced to another state of the schema? See docs/migrations.md.",
}
