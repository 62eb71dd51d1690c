/** The kind of a write, as it is stored with changes and versions. */
export type ChangeKind = "create" | "update" | "delete" | "restore" | "revert" | "transition" | "purge"
