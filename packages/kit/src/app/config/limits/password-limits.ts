import { availableParallelism } from "node:os"
import type { PasswordHashLimits } from "../../../features/auth/passwords/password-semaphore.ts"
import type { KitConfig } from "../config.ts"

// The most passwords that are hashed at the same time. Hashing uses Node's thread pool of four threads, which file
// access needs too.
const MAX_CONCURRENT = 2
const DEFAULT_WAITING = 200
const DEFAULT_WAITING_PER_CALLER = 50

/**
 * Returns how many passwords are hashed at the same time, and how many requests may wait. One CPU core stays free for
 * other requests.
 */
export function passwordLimits({ limits = {} }: Pick<KitConfig, "limits">): PasswordHashLimits {
  const { atOnce, waiting, waitingPerCaller } = limits.passwords ?? {}
  return {
    atOnce: atOnce ?? Math.max(1, Math.min(MAX_CONCURRENT, availableParallelism() - 1)),
    waiting: waiting ?? DEFAULT_WAITING,
    waitingPerCaller: waitingPerCaller ?? DEFAULT_WAITING_PER_CALLER,
  }
}
