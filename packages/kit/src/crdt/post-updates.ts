import type { Transport } from "../client/transport/transport.ts"

/**
 * The result of a request: the server has stored the edits, it lacks something on which they rely, it may store them
 * later, or it would refuse the same request again.
 */
export type PostOutcome =
  | { readonly kind: "acknowledged" }
  | { readonly kind: "gap"; readonly error: Error; readonly stateVector: string }
  | { readonly kind: "temporary"; readonly error: Error; readonly retryAfterMs: number }
  | { readonly kind: "refused"; readonly error: Error; readonly status: number }

interface UpdatesRequest {
  readonly path: string
  readonly body: Uint8Array<ArrayBuffer>
  /** True if the browser should finish the request although the page is being left. */
  readonly isLeaving: boolean
}

const TIMEOUT_MS = 25_000
// A large body may take longer on a slow connection.
const SLOWEST_BYTES_PER_MS = 2
const MAX_RETRY_AFTER_MS = 60_000
// Status codes of temporary errors: 408 (timeout), 425 (too early) and 429 (too many requests).
const TEMPORARY_STATUSES = [408, 425, 429]
const CONFLICT = 409

/** Sends edits to the server, and returns what has become of them. Never rejects. */
export async function postUpdates(
  transport: Transport,
  { path, body, isLeaving }: UpdatesRequest,
): Promise<PostOutcome> {
  let retryAfter: string | null = null
  const onResponse = ({ headers }: Response) => {
    retryAfter = headers.get("retry-after")
  }
  const options = { timeout: TIMEOUT_MS + body.length / SLOWEST_BYTES_PER_MS }
  try {
    const sent = { method: "POST", path, bytes: body, keepalive: isLeaving, options, onResponse } as const
    const outcome = await transport.exchange(sent)
    return "error" in outcome ? failureOf(outcome.error, retryAfter) : { kind: "acknowledged" }
  } catch (error) {
    // The time is over, or the author's `getAuthHeaders` has thrown an error.
    return failureOf(error instanceof Error ? error : new Error(String(error)), null)
  }
}

interface Failure extends Error {
  readonly status?: number
  readonly context?: Readonly<Record<string, unknown>> | undefined
}

function failureOf(error: Failure, retryAfter: string | null): PostOutcome {
  const { status = 0, context } = error
  const stateVector = context?.["stateVector"]
  if (status === CONFLICT && typeof stateVector === "string") return { kind: "gap", error, stateVector }
  const isRefusal = status >= 400 && status < 500 && !TEMPORARY_STATUSES.includes(status)
  if (isRefusal) return { kind: "refused", error, status }
  const retryAfterMs = Math.min(Math.max(Number(retryAfter) * 1_000 || 0, 0), MAX_RETRY_AFTER_MS)
  return { kind: "temporary", error, retryAfterMs }
}
