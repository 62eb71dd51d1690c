/** The names of the options that a read by id accepts. */
export const RECORD_OPTIONS = ["with", "columns", "includeDeleted", "locale", "localeFallback", "stage"] as const
