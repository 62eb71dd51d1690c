/**
 * The names of the options of a read of one record that is already chosen: by its id, or because a global has only one.
 */
export const RECORD_OPTIONS = ["with", "columns", "includeDeleted", "locale", "localeFallback", "stage"] as const
