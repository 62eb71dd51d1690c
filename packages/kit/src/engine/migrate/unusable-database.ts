import type { DatabaseError } from "../../ports/database.ts"
import { refuseOtherVersion } from "../../sql/internal/framework-version.ts"
import { SchemaMismatchError } from "./schema-mismatch.ts"

const UNFINISHED_COPY = "KT001"
const OLDER_KIT = "KT002"
const NEWER_KIT = "KT003"

const MESSAGES = new Map([
  [UNFINISHED_COPY, "A copy into this database was not finished. Run kit db move again, then start the app."],
  [OLDER_KIT, "The tables of this database were made by an older kit: delete .kit/db, or use an empty database."],
  [NEWER_KIT, "The tables of this database were made by a newer kit: start the app with that version."],
])

/**
 * SQL that raises an error if an app must not run on this database, because the database is an incomplete copy or
 * another version of kit made its tables.
 */
export const REFUSE_UNUSABLE_DATABASE = `do $$ begin
  if to_regclass('_kit_copy') is not null then
    if exists (select from "_kit_copy" where part = 'copy' and detail->>'isFinished' = 'false') then
      raise exception 'unfinished copy' using errcode = '${UNFINISHED_COPY}';
    end if;
  end if;
end $$;
${refuseOtherVersion({ older: OLDER_KIT, newer: NEWER_KIT })}`

/** Throws an error with a remedy if `REFUSE_UNUSABLE_DATABASE` raised `cause`. Otherwise throws `cause` itself. */
export function explainUnusableDatabase(cause: unknown): never {
  // The cast is safe: `code` is optional in the type, because only errors from the database driver have one.
  const message = MESSAGES.get((cause as Partial<DatabaseError>).code ?? "")
  throw message === undefined ? cause : new SchemaMismatchError(message, { cause })
}
