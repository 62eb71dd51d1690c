/**
 * The header with which a client names one of its writes, by a UUID that it has made. The client's streams send an
 * `applied` event when they show the write.
 */
export const WRITE_HEADER = "x-kit-write"

/**
 * The header with which a client requests the hash of a read's result, and the server returns it. It is the hash that
 * the snapshot of a live query with the same result has.
 */
export const HASH_HEADER = "x-kit-hash"
