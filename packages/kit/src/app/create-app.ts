import type { Identity } from "../features/auth/identity.ts"
import type { StoredDocuments } from "../features/documents/stored-documents.ts"
import { toFetchHandler } from "../http/fetch-handler.ts"
import type { Database } from "../ports/database.ts"
import { isBelow } from "../wire/paths/paths.ts"
import type { App } from "./app.ts"
import { type AppInputs, appInputs, type DevHooks, type TestOverrides } from "./app-inputs.ts"
import type { AppDefinition } from "./definition/app-definition.ts"
import { PartList } from "./part-list.ts"
import { busPart } from "./parts/bus-part.ts"
import { consolePart } from "./parts/console-part.ts"
import { databasePart } from "./parts/database-part.ts"
import { definitionPart } from "./parts/definition-part.ts"
import { documentsPart } from "./parts/documents-part.ts"
import { driversPart } from "./parts/drivers-part.ts"
import { enginePart } from "./parts/engine-part.ts"
import { fileStorePart } from "./parts/files/file-store-part.ts"
import { filesPart } from "./parts/files/files-part.ts"
import { httpPart } from "./parts/http-part.ts"
import { identityPart } from "./parts/identity-part.ts"
import { inProcessPart } from "./parts/in-process-part.ts"
import { keyValuesPart } from "./parts/key-values-part.ts"
import { livePart } from "./parts/live-part.ts"
import { mailPart } from "./parts/mail-part.ts"
import { queuePart } from "./parts/queue-part.ts"
import { adapterPart } from "./parts/search/adapter-part.ts"
import { searchPart } from "./parts/search/search-part.ts"
import { vectorsPart } from "./parts/search/vectors-part.ts"
import { servicesPart } from "./parts/services-part.ts"
import { sessionLoaderPart } from "./parts/session-loader-part.ts"
import { tablesPart } from "./parts/tables-part.ts"
import { type AppWorker, workerPart } from "./parts/worker-part.ts"

/**
 * The parts of an app. They open in this order and close in the reverse order. A part uses only the parts above it,
 * which the compiler checks.
 */
const APP_PARTS = PartList.withInputs<AppInputs>()
  // Mistakes of the author are reported before anything is opened.
  .add(definitionPart)
  .add(driversPart)
  // The database watches the disk of the files, too.
  .add(fileStorePart)
  .add(databasePart)
  .add(busPart)
  .add(tablesPart)
  .add(filesPart)
  .add(vectorsPart)
  .add(adapterPart)
  // The engine gives these parts to the author's code, as members of its context.
  .add(mailPart)
  .add(keyValuesPart)
  .add(queuePart)
  .add(sessionLoaderPart)
  .add(enginePart)
  // Identity writes users through the engine, because users are records.
  .add(identityPart)
  .add(servicesPart)
  .add(documentsPart)
  // Streams and jobs use all parts above at any time. They end before anything else is closed.
  .add(livePart)
  .add(searchPart)
  .add(workerPart)
  // The API, for code in this process and for HTTP requests.
  .add(inProcessPart)
  .add(consolePart)
  .add(httpPart)

/** Compiles the app, opens its database and syncs the tables, and returns the app ready to handle requests. */
export async function createApp(definition: AppDefinition): Promise<App> {
  return (await openApp(definition)).app
}

/** Creates an app like `createApp`. The hooks connect it to the `kit dev` that has started this process. */
export async function createAppWith(definition: AppDefinition, hooks: DevHooks): Promise<App> {
  return (await openApp(definition, hooks)).app
}

/** An app with the internals that only the framework uses. */
export interface OpenedApp {
  readonly app: App
  readonly database: Database
  readonly databaseUrl: string
  readonly worker: AppWorker
  readonly identity: Identity | undefined
  readonly documents: StoredDocuments | undefined
}

/** Opens an app like `createApp`, and returns its internals too. */
export async function openApp(definition: AppDefinition, options: TestOverrides & DevHooks = {}): Promise<OpenedApp> {
  const { opened, close } = await APP_PARTS.open(appInputs(definition, options))
  const { database, postgres, worker, identity, documents } = opened
  return { app: toApp(opened, close), database, databaseUrl: postgres.url, worker, identity, documents }
}

type OpenParts = Awaited<ReturnType<typeof APP_PARTS.open>>["opened"]

function toApp(parts: OpenParts, stop: () => Promise<void>): App {
  const { schema, facts, routes, databaseNote, syncReport, migrationReport, api, handle, readiness } = parts
  const { worker, live, search, console } = parts
  return {
    ...{ schema, routes, databaseNote, syncReport, migrationReport },
    ...api,
    basePath: facts.basePath,
    handle,
    handler: toFetchHandler(handle),
    consolePath: console?.path,
    setUpToken: async () => console?.setUpToken(),
    serves: (url) =>
      isBelow(facts.basePath, url) || (console?.hostedPath !== undefined && isBelow(console.hostedPath, url)),
    startWorker: () => worker.start(),
    stopWorker: () => worker.stop(),
    searchIndexes: {
      status: () => search.reindexer.status(),
      rebuild: (collection, onProgress) => search.reindexer.rebuild(collection, onProgress),
    },
    turnNotReady: () => readiness.end(),
    endStreams: () => live.endStreams(),
    stop,
  }
}
