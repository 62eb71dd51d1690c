/** The database and the schema do not fit together; the message says what to do. */
export class SchemaMismatchError extends Error {}
