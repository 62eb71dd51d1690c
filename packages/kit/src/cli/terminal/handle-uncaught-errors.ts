import type { Logger } from "../../ports/logger.ts"
import type { EndProcess } from "./stop-on-signal.ts"

const FAILED = 1
// The time after which a broken process exits even if something hangs. Running requests and jobs have time limits of
// their own.
const EXIT_TIMEOUT_MS = 30_000

interface ProcessDependencies {
  readonly logger: Logger
  readonly end: EndProcess
}

/**
 * Keeps this process serving after an unhandled rejection in the author's code. After an uncaught exception, the
 * process is in an unknown state: it shuts down gracefully, so that its process manager starts a new process.
 */
export function handleUncaughtErrors({ logger, end }: ProcessDependencies): void {
  const logged = new WeakSet<object>()
  process.on("unhandledRejection", (error) => {
    // Logs an error only once, because several promises may be rejected with the same error.
    if (error instanceof Error && logged.has(error)) return
    if (error instanceof Error) logged.add(error)
    logger.error("Unhandled promise rejection: await the promise, or add .catch(…) to it.", { error })
  })
  process.on("uncaughtException", (error) => {
    logger.error("Uncaught exception in a timer or an event listener: the process ends.", { error })
    setTimeout(() => process.exit(FAILED), EXIT_TIMEOUT_MS).unref()
    end(FAILED)
  })
}
