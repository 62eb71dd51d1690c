/** What a driver throws when the other side cannot be reached or is busy: the same call may work later. */
export interface TemporaryFailure extends Error {
  readonly isTemporary: true
}
