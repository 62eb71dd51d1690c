/** The database holds something that the schema does not fit; the message says what to do. */
export class SchemaMismatchError extends Error {}
