import type { Engine } from "../../engine/engine.ts"
import type { Identity } from "../../features/auth/identity.ts"
import type { CompiledJobs } from "../../features/jobs/compile-jobs.ts"
import type { CompiledChannels } from "../../features/realtime/channels/compile-channels.ts"
import type { CompiledRoute } from "../../features/routes/compile-routes.ts"
import { describeReplacedPaths } from "../../features/routes/replaced-paths.ts"
import { SignedLinks } from "../../features/uploads/signed-links.ts"
import type { StoredFiles } from "../../features/uploads/stored-files.ts"
import { AnswerCompression } from "../../http/compression/answer-compression.ts"
import type { Endpoint } from "../../http/endpoint.ts"
import type { MountDependencies } from "../../http/endpoints/mount.ts"
import type { OpenApiDependencies } from "../../http/endpoints/openapi.ts"
import { Readiness } from "../../http/endpoints/readiness.ts"
import { createFrontPage, type FrontPage } from "../../http/front-page/front-page.ts"
import type { DevStatus } from "../../http/front-page/page-facts.ts"
import { createHandler } from "../../http/handler.ts"
import { callerAddresses } from "../../http/protection/client-address.ts"
import { createProtection, type Protection } from "../../http/protection/protection.ts"
import { logRequests } from "../../http/request-log.ts"
import { createWebPages } from "../../http/web/web-pages.ts"
import type { CallHandler } from "../../ports/http.ts"
import type { Logger } from "../../ports/logger.ts"
import type { SessionProvider } from "../../ports/session-provider.ts"
import type { AppInputs } from "../app-inputs.ts"
import { secretOf } from "../config/app-secret.ts"
import { bodyLimits } from "../config/limits/body-limits.ts"
import { requestSample } from "../config/log-config.ts"
import { isMailKept } from "../config/mail-config.ts"
import { openApiAudience } from "../config/settings/openapi-settings.ts"
import type { AppDefinition } from "../definition/app-definition.ts"
import { KIT_VERSION } from "../kit-version.ts"
import { apiFacts } from "../openapi-document.ts"
import { packagedGuide } from "../packaged-files.ts"
import type { Part } from "../part-list.ts"
import type { OpenConsole } from "./console-part.ts"
import type { DatabaseState } from "./database-part.ts"
import { webFolderOf } from "./files/web-folder.ts"
import type { OpenMail } from "./mail-part.ts"
import type { OpenLive } from "./open-live.ts"
import type { OpenSearch } from "./search/search-part.ts"

interface HttpDependencies extends Pick<AppInputs, "definition" | "devHooks" | "config" | "facts" | "mode" | "now"> {
  readonly routes: readonly CompiledRoute[]
  readonly jobs: CompiledJobs
  readonly channels: CompiledChannels
  readonly logger: Logger
  readonly secret: string | undefined
  readonly databaseState: Pick<DatabaseState, "checkReady">
  readonly mail: Pick<OpenMail, "keeper">
  readonly files: StoredFiles
  readonly engine: Engine
  readonly identity: Identity | undefined
  readonly sessions: SessionProvider
  readonly live: Pick<OpenLive, "calls" | "documentCalls" | "writeMarks">
  readonly search: Pick<OpenSearch, "reindexer">
  readonly console: OpenConsole | undefined
}

interface OpenHttp {
  readonly handle: CallHandler
  readonly readiness: Readiness
}

/** The HTTP API: the endpoints, and the protection around them. */
export const httpPart: Part<HttpDependencies, OpenHttp> = {
  open: (dependencies) => {
    const { config, definition, facts, engine, identity, sessions, logger, routes, channels, files } = dependencies
    const { countUser, isFromOtherSite, wrap } = protectionOf(dependencies)
    const readiness = new Readiness(dependencies.databaseState.checkReady)
    const sample = requestSample(config.log)
    const mount = { appName: facts.name, appUrl: facts.url, basePath: facts.basePath, kitVersion: KIT_VERSION }
    const handle = createHandler({
      ...{ engine, identity, sessions, logger, routes, channels, files, countUser },
      logsRequests: sample > 0,
      ...bodyLimits(config),
      ...callerAddresses(config.limits?.trustedProxies ?? 0),
      ...mount,
      compression: new AnswerCompression({ isEnabled: config.compression ?? true, isFromOtherSite }),
      links: new SignedLinks(secretOf(definition, dependencies)),
      live: dependencies.live.calls,
      documents: dependencies.live.documentCalls,
      writeMarks: dependencies.live.writeMarks,
      reindexer: dependencies.search.reindexer,
      checkReady: () => readiness.checkReady(),
      mailKeeper: dependencies.mail.keeper,
      frontPage: frontPageOf(dependencies),
      console: dependencies.console,
      webPages: webPagesOf(definition, mount),
      openApi: openApiOf(dependencies),
    })
    for (const sentence of describeReplacedPaths(routes, engine.schema)) logger.warn(sentence)
    const showsUnknownPaths = dependencies.mode === "development"
    const logged = sample > 0 ? logRequests(wrap(handle), { logger, sample, showsUnknownPaths }) : wrap(handle)
    return { handle: logged, readiness }
  },
}

function webPagesOf(definition: AppDefinition, mount: MountDependencies): Endpoint | undefined {
  const folder = webFolderOf(definition)
  return folder && createWebPages({ folder, mount, isSinglePage: definition.config.web?.spa === true })
}

// Returns the page that shows the app in development. In other modes there is no such page.
function frontPageOf(dependencies: HttpDependencies): FrontPage | undefined {
  const { mode, config, devHooks, facts, identity, routes, jobs, channels } = dependencies
  if (mode !== "development") return undefined
  return createFrontPage({
    ...{ routes, jobs, channels },
    name: facts.name,
    basePath: facts.basePath,
    kitVersion: KIT_VERSION,
    hasUsers: identity !== undefined,
    console: dependencies.console,
    signIns: config.dev?.signIns ?? [],
    isMailKept: isMailKept(config.email),
    hasOpenApi: openApiAudience(config, mode) !== false,
    guide: packagedGuide,
    status: devHooks.devStatus ?? NO_STATUS,
  })
}

function openApiOf(dependencies: HttpDependencies): OpenApiDependencies {
  const { config, mode, engine, routes } = dependencies
  return {
    audience: openApiAudience(config, mode),
    developer: config.developer,
    facts: apiFacts({ ...dependencies, schema: engine.schema }),
    schema: engine.schema,
    routes,
  }
}

const NO_STATUS: DevStatus = Object.freeze({ mistake: undefined })

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
