/** The options that a read by id takes. */
export const RECORD_OPTIONS = ["with", "columns", "includeDeleted", "locale", "localeFallback", "stage"] as const
