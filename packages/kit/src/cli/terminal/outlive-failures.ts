import type { Logger } from "../../ports/logger.ts"
import type { EndProcess } from "./stop-on-signal.ts"

const FAILED = 1
// Requests and jobs under way have limits of their own; whatever else hangs must not keep a broken process.
const ENDED_WITHIN_MS = 30_000

interface Process {
  readonly logger: Logger
  readonly end: EndProcess
}

/**
 * Keeps this process serving when the author's code leaves a rejected promise alone. After an exception that nothing has
 * caught nobody knows what is broken: it ends in order, and whoever watches over it starts another.
 */
export function outliveFailures({ logger, end }: Process): void {
  const logged = new WeakSet<object>()
  process.on("unhandledRejection", (error) => {
    // Several promises may wait for the one that was rejected.
    if (error instanceof Error && logged.has(error)) return
    if (error instanceof Error) logged.add(error)
    logger.error("A promise was rejected and nothing awaits it: await it, or add .catch(…) to it.", { error })
  })
  process.on("uncaughtException", (error) => {
    logger.error("Nothing caught an exception, which was thrown in a timer or a listener: the process ends.", { error })
    setTimeout(() => process.exit(FAILED), ENDED_WITHIN_MS).unref()
    end(FAILED)
  })
}
