import { SchemaMismatchError } from "../migrate/schema-mismatch.ts"

/** The error for a database that cannot be copied. The error message says how to fix it. */
export class CopyError extends SchemaMismatchError {}
