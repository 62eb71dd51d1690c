import type { TemporaryFailure } from "../ports/temporary-failure.ts"

export function temporaryFailure(message: string, cause: unknown): TemporaryFailure {
  return Object.assign(new Error(message, { cause }), { isTemporary: true as const })
}
