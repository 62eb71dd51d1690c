/** The error that a driver throws if the remote server is unreachable or busy. The same call may succeed later. */
export interface TemporaryFailure extends Error {
  readonly isTemporary: true
}
