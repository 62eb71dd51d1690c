import { randomUUID } from "node:crypto"
import { EventEmitter, once } from "node:events"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type App, collection, createApp, type KitConfig, route } from "kit"
import { service } from "kit/services"
import { createTestDatabase, type TestDatabase } from "../../support/test-database.ts"

export const INVITED = "https://admin.example.com"

/** An app with one route for each mistake that a host could make. */
export interface HostWorld extends AsyncDisposable {
  readonly app: App
  readonly database: TestDatabase
  /** Emits `held`, `lease`, `release` and `disposed`. */
  readonly events: EventEmitter
  readonly logged: readonly { readonly message: string; readonly fields: unknown }[]
}

const notes = collection("notes")
  .fields(({ f }) => ({ title: f.text(2_000_000).required(), views: f.number().bigint(), due: f.datetime() }))
  .access({ read: true, create: isSignedIn, update: isSignedIn, delete: isSignedIn })

const papers = collection("papers")
  .upload({ types: ["text/plain"], maxSize: 4_000_000 })
  .access({ read: true, create: true })

function isSignedIn({ session }: { session: unknown }): boolean {
  return session !== null
}

/** Without a database it creates one, and drops it in the end. */
export async function hostWorld(config: KitConfig = {}, shared?: TestDatabase): Promise<HostWorld> {
  const database = shared ?? (await createTestDatabase())
  const events = new EventEmitter()
  const folder = join(tmpdir(), `kit-host-files-${randomUUID()}`)
  const logged: { message: string; fields: unknown }[] = []
  const log = (message: string, fields: unknown) => void logged.push({ message, fields })
  const app = await createApp({
    resources: [notes, papers].map(({ definition }) => ({ file: `${definition.name}.ts`, definition })),
    routes: Object.entries(routesOf(events)).map(([path, { definition }]) => ({
      file: `${path}.ts`,
      path,
      definition,
    })),
    services: [{ file: "lease.ts", key: "lease", definition: leaseOf(events).definition }],
    config: {
      secret: "a secret of 32 characters or more",
      auth: { signUp: true },
      cors: { origins: [INVITED] },
      storage: { folder },
      logger: { info: log, warn: log, error: log },
      ...config,
      db: { url: database.url },
    },
    root: "/nowhere",
  })
  return {
    app,
    database,
    events,
    logged,
    [Symbol.asyncDispose]: async () => {
      await app.stop()
      await rm(folder, { recursive: true, force: true })
      if (shared === undefined) await database.drop()
    },
  }
}

// A service that is held for the lifetime of a request.
function leaseOf(events: EventEmitter) {
  return service({
    lifecycle: "request",
    create: () => ({ since: new Date() }),
    dispose: () => void events.emit("disposed"),
  })
}

function routesOf(events: EventEmitter) {
  const raw = () => route().get().raw()
  return {
    cookies: raw().handler(() => {
      const headers = new Headers([
        ["set-cookie", "a=1; Path=/"],
        ["set-cookie", "b=2; Path=/; HttpOnly"],
      ])
      return new Response("two", { headers })
    }),
    bytes: route()
      .post()
      .raw()
      .handler(async ({ request }) => Response.json({ length: (await request.arrayBuffer()).byteLength })),
    "files/[...path]": route()
      .get()
      .handler(({ params }) => params),
    held: route()
      .get()
      .handler(async () => {
        events.emit("held")
        await once(events, "release")
        return "done"
      }),
    stream: raw().handler((context) => {
      // The access creates the service; the types of a test do not declare services.
      void (context as unknown as { lease: unknown }).lease
      return new Response(twoParts(events), { headers: { "content-type": "text/plain" } })
    }),
  }
}

/** A stream whose second chunk waits for `release`. */
function twoParts(events: EventEmitter): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode("first")),
    async pull(controller) {
      await once(events, "release")
      controller.enqueue(encoder.encode("last"))
      controller.close()
    },
    cancel: () => void events.emit("cancelled"),
  })
}
