import type { Engine } from "../../engine/engine.ts"
import type { Identity } from "../../features/auth/identity.ts"
import type { CompiledChannels } from "../../features/realtime/channels/compile-channels.ts"
import type { CompiledRoute } from "../../features/routes/compile-routes.ts"
import { SignedLinks } from "../../features/uploads/signed-links.ts"
import type { StoredFiles } from "../../features/uploads/stored-files.ts"
import { Readiness } from "../../http/endpoints/readiness.ts"
import { createHandler } from "../../http/handler.ts"
import { callerAddresses } from "../../http/protection/client-address.ts"
import { createProtection, type Protection } from "../../http/protection/protection.ts"
import type { CallHandler } from "../../ports/http.ts"
import type { Logger } from "../../ports/logger.ts"
import type { SessionProvider } from "../../ports/session-provider.ts"
import type { AppInputs } from "../app-inputs.ts"
import { secretOf } from "../config/app-secret.ts"
import { bodyLimits } from "../config/body-limits.ts"
import type { Part } from "../part-list.ts"
import type { DatabaseState } from "./database-part.ts"
import type { OpenMail } from "./mail-part.ts"
import type { OpenLive } from "./open-live.ts"

interface HttpDependencies extends Pick<AppInputs, "definition" | "config" | "facts" | "mode" | "now"> {
  readonly routes: readonly CompiledRoute[]
  readonly channels: CompiledChannels
  readonly logger: Logger
  readonly secret: string | undefined
  readonly databaseState: Pick<DatabaseState, "checkReady">
  readonly mail: Pick<OpenMail, "keeper">
  readonly files: StoredFiles
  readonly engine: Engine
  readonly identity: Identity | undefined
  readonly sessions: SessionProvider
  readonly live: Pick<OpenLive, "calls">
}

interface OpenHttp {
  readonly handle: CallHandler
  readonly readiness: Readiness
}

/** The HTTP API: the endpoints, and the protection around them. */
export const httpPart: Part<HttpDependencies, OpenHttp> = {
  open: (dependencies) => {
    const { config, definition, facts, engine, identity, sessions, logger, routes, channels, files } = dependencies
    const { countUser, wrap } = protectionOf(dependencies)
    const readiness = new Readiness(dependencies.databaseState.checkReady)
    const handle = createHandler({
      ...{ engine, identity, sessions, logger, routes, channels, files, countUser },
      ...bodyLimits(config),
      ...callerAddresses(config.limits?.trustedProxies ?? 0),
      basePath: facts.basePath,
      links: new SignedLinks(secretOf(definition, dependencies)),
      live: dependencies.live.calls,
      checkReady: () => readiness.checkReady(),
      mailKeeper: dependencies.mail.keeper,
    })
    return { handle: wrap(handle), readiness }
  },
}

function protectionOf({ config, facts, mode, now }: HttpDependencies): Protection {
  return createProtection({
    appUrl: facts.url,
    origins: config.cors?.origins,
    isDevelopment: mode === "development",
    rate: config.limits?.rate ?? {},
    trustedProxies: config.limits?.trustedProxies ?? 0,
    basePath: facts.basePath,
    now,
  })
}
