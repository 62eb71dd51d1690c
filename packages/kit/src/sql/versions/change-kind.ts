/** The kind of a write, as changes and versions store it. */
export type ChangeKind = "create" | "update" | "delete" | "restore" | "revert" | "transition" | "purge"
