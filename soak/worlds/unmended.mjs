/**
 * Leaks that are known and not mended yet. While one is true, the experiment stays away from it; once it is mended, set it to
 * false, and the experiment holds the mend.
 */
export const UNMENDED = {
  /** Purging a record writes those that point to it in a hidden field: their revision, `updatedAt` and versions show it. */
  hiddenPointersToPurged: true,
}
