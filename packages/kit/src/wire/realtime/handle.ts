/**
 * The key of the member that makes an object of the client a handle. It is a string and not a symbol, because the types
 * of two copies of this package must be compatible: generated types come from the copy of the server, and the hooks of a
 * page may come from that of the package for front ends.
 */
export const HANDLE = "~handle"

/**
 * The results that a handle can read: a page of records, one record, a number of records, values that are computed from
 * records, a global's record, or the session of the client's user.
 */
export type HandleKind = "collection" | "record" | "total" | "aggregates" | "global" | "session"

/**
 * An object of the client whose result can be read and followed: `client.collections.articles`, its `record(id)`,
 * its `total` and its `aggregates`, a global, or `client.auth`. The hooks of `kit/react` take it as their first argument.
 */
export interface Handle<Kind extends HandleKind = HandleKind, Types = unknown> {
  readonly [HANDLE]: {
    readonly kind: Kind
    readonly resource: string
    /** The id of the record, if the kind is `record`. */
    readonly id?: string | undefined
    /** Never present at run time: it only carries the generated types of the resource. */
    readonly types?: Types
  }
}
