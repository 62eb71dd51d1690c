/** True if the error is a system error with one of the given codes, e.g. "ENOENT". */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code))
}
