/** The error for a database that does not fit the app's schema. The error message says how to fix it. */
export class SchemaMismatchError extends Error {}
