/** What a write does to a record. */
export type ChangeKind = "create" | "update" | "delete" | "restore" | "revert" | "transition" | "purge"
