/**
 * Leaks that are known and not mended yet. While one is true, the experiment stays away from it; once it is mended, set it to
 * false, and the experiment holds the mend.
 */
export const UNMENDED = {
  /** Live queries of callers who differ in the computed fields that they may read are shared. */
  liveComputedFields: false,
  /** The SQL of a virtual field runs on records that the caller may not read, and its errors reach the caller. */
  virtualSqlOnHiddenRecords: false,
  /** Hints of a 404, and the 409 of `restrict`, name collections that the caller may not read. */
  namesOfUnreadable: false,
  /** Purging a record writes those that point to it in a hidden field: their revision, `updatedAt` and versions show it. */
  hiddenPointersToPurged: true,
}
