import type { PostgresOptions } from "../../drivers/postgres/open-postgres.ts"
import type { LiveDocuments } from "../../engine/documents/live-documents.ts"
import type { Engine } from "../../engine/engine.ts"
import type { Identity } from "../../features/auth/identity.ts"
import type { SessionCache } from "../../features/auth/sessions/session-cache.ts"
import type { CompiledChannels } from "../../features/realtime/channels/compile-channels.ts"
import type { Database } from "../../ports/database.ts"
import type { Logger } from "../../ports/logger.ts"
import type { MessageBus } from "../../ports/message-bus.ts"
import type { SessionProvider } from "../../ports/session-provider.ts"
import type { AppInputs } from "../app-inputs.ts"
import { streamSecretOf } from "../config/app-secret.ts"
import type { Emitter } from "../emitter.ts"
import type { Part } from "../part-list.ts"
import { OpenLive } from "./open-live.ts"

interface LiveDependencies extends Pick<AppInputs, "definition" | "config"> {
  readonly channels: CompiledChannels
  readonly sessionCache: SessionCache
  readonly logger: Logger
  readonly secret: string | undefined
  readonly postgres: PostgresOptions
  readonly database: Database
  readonly commits: Emitter<void>
  readonly bus: MessageBus
  readonly engine: Engine
  readonly hasShortcuts: boolean
  readonly identity: Identity | undefined
  readonly sessions: SessionProvider
  readonly documents: LiveDocuments | undefined
}

/** Live queries, channels and collaborative documents. Closing ends the streams. */
export const livePart: Part<LiveDependencies, { readonly live: OpenLive }> = {
  open: (dependencies) => {
    const { config, definition, identity, sessionCache, commits } = dependencies
    const { engine, hasShortcuts, database, bus, channels, documents, logger, sessions, postgres } = dependencies
    const live = new OpenLive({
      ...{ engine, hasShortcuts, database, bus, channels, documents, logger, sessions, postgres },
      config: config.realtime,
      secret: streamSecretOf(definition, dependencies),
      forgetSessions: identity && ((ids) => sessionCache.forgetUsers(ids)),
    })
    commits.on(() => live.notifyCommitted())
    return { live }
  },
  close: ({ live }) => live.close(),
}
