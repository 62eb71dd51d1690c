/** Thrown if the database cannot be started or reached; the error message says how to fix that. */
export class DatabaseStartError extends Error {}
