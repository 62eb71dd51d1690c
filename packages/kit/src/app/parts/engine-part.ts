import type { OperationContext } from "../../engine/context/operation-context.ts"
import { DEFAULT_SEARCH, type SearchServices } from "../../engine/context/search-services.ts"
import { createEngine, type Engine } from "../../engine/engine.ts"
import type { JobQueue } from "../../features/jobs/job-queue.ts"
import type { Publishers } from "../../features/jobs/publishers.ts"
import type { CompiledChannels } from "../../features/realtime/channels/compile-channels.ts"
import { createChannelPublishers } from "../../features/realtime/channels/publishers.ts"
import type { AdapterIndex } from "../../features/search/external/adapter-index.ts"
import type { OpenVectors } from "../../features/search/vectors/open-vectors.ts"
import type { CompiledServices } from "../../features/services/compile-services.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { SessionLoader } from "../../ports/session-provider.ts"
import { linkTableAliases } from "../../schema/compile/link-table-aliases.ts"
import type { AppSchema } from "../../schema/compile/resource.ts"
import type { AppInputs } from "../app-inputs.ts"
import { secretOf } from "../config/app-secret.ts"
import { answerLimit } from "../config/limits/body-limits.ts"
import { filterLimits } from "../config/limits/filter-limits.ts"
import { buildHandlerContexts } from "../handlers/build-handler-context.ts"
import type { HandlerContexts } from "../handlers/handler-contexts.ts"
import { transitionScheduler } from "../handlers/run-pending-transition.ts"
import type { Part } from "../part-list.ts"
import type { DatabaseState } from "./database-part.ts"
import type { OpenKeyValues } from "./key-values-part.ts"
import type { OpenMail } from "./mail-part.ts"

interface EngineDependencies extends Pick<AppInputs, "definition" | "config" | "facts" | "now" | "dueNow"> {
  readonly schema: AppSchema
  readonly services: CompiledServices
  readonly channels: CompiledChannels
  readonly logger: Logger
  readonly secret: string | undefined
  readonly hasShortcuts: boolean
  readonly database: Database
  readonly databaseState: Pick<DatabaseState, "tables" | "checkInBackground">
  readonly returnsOldRows: boolean
  readonly mail: OpenMail
  readonly kv: OpenKeyValues
  readonly queue: JobQueue
  readonly publishers: Publishers
  readonly sessionLoader: SessionLoader
  readonly vectors: OpenVectors | undefined
  readonly adapter: AdapterIndex | undefined
}

interface OpenEngine {
  readonly engine: Engine
  readonly contexts: HandlerContexts
}

/** The engine, and the contexts in which it calls the author's code. */
export const enginePart: Part<EngineDependencies, OpenEngine> = {
  open: (dependencies) => {
    // The engine and the contexts need each other, because the context of a singleton service comes from the engine. A
    // service is created at its first use, and by then the engine exists.
    const contexts = handlerContextsOf(dependencies, { rootContext: () => engine.contextFor(null) })
    const engine = engineOf(dependencies, contexts)
    return { engine, contexts }
  },
}

function handlerContextsOf(
  dependencies: EngineDependencies,
  { rootContext }: { readonly rootContext: () => OperationContext },
): HandlerContexts {
  const { facts, schema, services, channels, logger, mail, kv, publishers, sessionLoader } = dependencies
  return buildHandlerContexts({
    app: facts,
    logger,
    services,
    mailers: mail.mailers,
    kv,
    publishers,
    channels: createChannelPublishers(channels),
    tableNames: linkTableAliases(schema),
    sessionLoader,
    rootContext,
  })
}

function engineOf(dependencies: EngineDependencies, { handlerFor }: HandlerContexts): Engine {
  const { config, schema, logger, hasShortcuts, database, databaseState, returnsOldRows, now, dueNow } = dependencies
  return createEngine({
    schema,
    database,
    tables: databaseState.tables,
    checkInBackground: databaseState.checkInBackground,
    logger,
    hasShortcuts,
    returnsOldRows,
    maxAnswerBytes: answerLimit(config),
    filterLimits: filterLimits(config),
    now,
    dueNow,
    handlerFor,
    scheduleTransition: transitionScheduler(dependencies),
    search: searchServices(dependencies),
    secret: secretOf(dependencies.definition, dependencies),
  })
}

function searchServices({ config, vectors, adapter }: EngineDependencies): SearchServices {
  const { settings } = DEFAULT_SEARCH
  const { typos = settings.forgivesTypos, synonyms = {}, stopWords = {} } = config.search ?? {}
  const callerMs = config.limits?.searchMs ?? settings.callerMs
  const given = { forgivesTypos: typos, synonyms, stopWords, callerMs }
  return { settings: given, semantic: vectors?.index, external: adapter }
}
