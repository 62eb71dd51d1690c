/** The error that a driver throws if the remote side is unreachable or busy: the same call may succeed later. */
export interface TemporaryFailure extends Error {
  readonly isTemporary: true
}
