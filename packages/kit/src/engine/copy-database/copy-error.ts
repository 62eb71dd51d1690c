import { SchemaMismatchError } from "../migrate/schema-mismatch.ts"

/** The reason why a database cannot be copied; the message says what to do. */
export class CopyError extends SchemaMismatchError {}
