import { SchemaMismatchError } from "../migrate/schema-mismatch.ts"

/** Why a database cannot be moved; the message says what to do. */
export class MoveError extends SchemaMismatchError {}
