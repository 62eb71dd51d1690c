import { SchemaMismatchError } from "../migrate/schema-mismatch.ts"

/** The error for an archive that cannot be read or restored. The error message says what to do. */
export class ArchiveError extends SchemaMismatchError {}
