/** The database cannot be started or reached; the message says what to do about it. */
export class DatabaseStartError extends Error {}
