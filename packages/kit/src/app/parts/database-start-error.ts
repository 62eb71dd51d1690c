/** There is no database to work with; the message says what to do about it. */
export class DatabaseStartError extends Error {}
