import { Lifetime } from "../../engine/context/lifetime.ts"
import type { Engine } from "../../engine/engine.ts"
import type { JobRun } from "../../features/jobs/running-job.ts"
import type { LogFields, Logger } from "../../ports/logger.ts"
import type { SystemContext } from "../../schema/context/handler-context.ts"
import type { HandlerContexts } from "./handler-contexts.ts"

interface JobDependencies {
  readonly engine: Engine
  readonly contexts: HandlerContexts
  readonly logger: Logger
}

/** Calls the job's handler for one attempt, as system code, and then disposes the services created for the attempt. */
export async function callJobHandler({ engine, contexts, logger }: JobDependencies, run: JobRun): Promise<void> {
  const { job, id: jobId, payload, attempt, publishedBy, signal } = run
  const lifetime = new Lifetime()
  const request = { lifetime, logger: jobLogger(logger, { job: job.name, jobId }) }
  // The cast is safe: the operations of this context are those of system code.
  const context = contexts.jobFor({ ...engine.contextFor(null, request), isSystem: true }, run) as SystemContext
  try {
    await job.handler(Object.assign(context, { payload, jobId, attempt, publishedBy, signal }))
  } finally {
    await lifetime.end()
  }
}

/** Returns a logger that adds the facts about the job to every line. */
function jobLogger(logger: Logger, facts: LogFields): Logger {
  return {
    info: (message, fields) => logger.info(message, { ...fields, ...facts }),
    warn: (message, fields) => logger.warn(message, { ...fields, ...facts }),
    error: (message, fields) => logger.error(message, { ...fields, ...facts }),
  }
}
