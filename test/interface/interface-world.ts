import { channel, collection, email, global, job, route, type Session } from "kit"
import { createClient, type QuestpieClientConfig, type RealtimeApi } from "kit/client"
import { service } from "kit/services"
import { type TestApp, testApp } from "kit/testing"
import { z } from "zod"

export const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a", name: "Ann", role: "editor" } }

const isSignedIn = ({ session }: { session: Session | null }) => session !== null
const everyOperation = {
  read: true,
  create: isSignedIn,
  update: isSignedIn,
  delete: isSignedIn,
  purge: isSignedIn,
  versions: isSignedIn,
} as const

const authors = collection("authors")
  .fields(({ f }) => ({
    name: f.text(80).required(),
    email: f.email().unique(),
    articles: f.relation("articles").hasMany({ via: "author" }),
  }))
  .title("name")
  .searchable({})
  .access(everyOperation)

const tags = collection("tags")
  .fields(({ f }) => ({ name: f.text(40).required().unique() }))
  .access(everyOperation)

const articles = collection("articles")
  .fields(({ f }) => ({
    title: f.text(200).required().localized(),
    rating: f.number().integer().default(0),
    status: f.select(["idea", "done"]).required().default("idea"),
    author: f.relation("authors"),
    tags: f.relation("tags").manyToMany(),
    isSecret: f.boolean().required().default(false),
  }))
  .title("title")
  .searchable({ facets: ["status", "rating"] })
  .options({ softDelete: true, versions: true, revision: true })
  .access({ ...everyOperation, read: ({ session }) => session !== null || { isSecret: false } })

const pages = collection("pages")
  .fields(({ f }) => ({ title: f.text(200).required() }))
  .options({ workflow: true, versions: true })
  .access({ ...everyOperation, drafts: isSignedIn, transition: isSignedIn })

const media = collection("media")
  .fields(({ f }) => ({ alt: f.text(200) }))
  .upload({ types: ["text/plain"] })
  .access(everyOperation)

const settings = global("settings")
  .fields(({ f }) => ({
    siteName: f.text(80).required().localized(),
    tagline: f.text(200),
    featured: f.relation("articles"),
  }))
  .options({ versions: true })
  .access({ read: true, update: isSignedIn, versions: isSignedIn })

const home = global("home")
  .fields(({ f }) => ({ title: f.text(80).required() }))
  .options({ workflow: true, versions: true })
  .access({ read: true, update: isSignedIn, drafts: isSignedIn, transition: isSignedIn })

const empty = global("empty")
  .fields(({ f }) => ({ title: f.text(80) }))
  .access({ read: true })

const input = z.object({ name: z.string().min(2), count: z.coerce.number().default(1) })

const routes = {
  "reports/admin-stats": route()
    .get()
    .schema(input)
    .handler(({ input }) => input),
  "reports/make": route()
    .schema(input)
    .handler(({ input, session }) => ({ ...input, by: session?.user.id ?? null })),
  "reports/replace": route()
    .put()
    .schema(input)
    .handler(({ input }) => ({ method: "PUT", ...input })),
  "reports/change": route()
    .patch()
    .schema(input)
    .handler(({ input }) => ({ method: "PATCH", ...input })),
  "reports/remove": route()
    .delete()
    .schema(input)
    .handler(({ input }) => ({ method: "DELETE", ...input })),
  types: route()
    .schema(z.object({ at: z.date(), map: z.map(z.string(), z.number()), set: z.set(z.string()), big: z.bigint() }))
    .handler(({ input }) => input),
  raw: route()
    .raw()
    .handler(({ request, session }) => new Response(`${request.method} ${session?.user.id ?? "nobody"}`)),
  closed: route()
    .access(false)
    .handler(() => "never"),
  editors: route()
    .access(({ session }) => session?.user.role === "editor")
    .handler(() => "for editors"),
  context: route().handler(async (context) => {
    await context.kv.set("seen", 1)
    context.logger.info("Seen.")
    return {
      members: ["collections", "globals", "db", "session", "queue", "email", "logger", "kv", "app"].filter(
        (name) => name in context,
      ),
      // The cast is safe: the services of this app are declared below.
      services: Object.values(servicesOf(context)),
    }
  }),
  work: route()
    .schema(z.object({ text: z.string() }))
    .handler(async ({ input, queue }) => {
      await queue["keepNote"]?.publish({ text: input.text })
      return null
    }),
  fail: route().handler(async ({ queue }) => {
    await queue["failTwice"]?.publish({})
    return null
  }),
  greet: route().handler(async ({ email }) => {
    await email.sendTemplate({ template: "welcome", input: { name: "Bob" }, to: "bob@example.com" })
    return null
  }),
}

/** The events that jobs and services report to the tests. */
export const journal: string[] = []

const jobs = {
  keepNote: job({
    name: "keep-note",
    schema: z.object({ text: z.string() }),
    handler: (context) => {
      journal.push(`note ${context.payload.text}, ${"input" in context ? "with" : "without"} input`)
      return Promise.resolve()
    },
  }),
  failTwice: job({
    name: "fail-twice",
    schema: z.object({}),
    options: { retryLimit: 2, retryDelay: 60 },
    handler: () => {
      journal.push("attempt")
      return Promise.reject(new Error("Not this time."))
    },
  }),
}

let made = 0

const services = {
  stamp: service({
    lifecycle: "singleton",
    create: () => ({ number: ++made }),
    dispose: ({ number }) => void journal.push(`disposed singleton ${number}`),
  }),
  ticket: service({
    lifecycle: "request",
    create: () => ({ number: ++made }),
    dispose: ({ number }) => void journal.push(`disposed ticket ${number}`),
  }),
}

function servicesOf(context: object): readonly number[] {
  const { stamp, ticket } = context as { stamp: { number: number }; ticket: { number: number } }
  return [stamp.number, ticket.number]
}

const emails = {
  welcome: email({
    name: "welcome",
    schema: z.object({ name: z.string() }),
    handler: ({ input }) => ({ subject: `Welcome, ${input.name}`, html: "<p>Hello.</p>" }),
  }),
}

const channels = {
  room: channel("room-[room]")
    .events({ message: z.object({ text: z.string() }) })
    .access({ subscribe: true, publish: isSignedIn })
    .presence(({ session }) => ({ name: session?.user.name ?? "somebody" })),
}

/** The client without types, because the types have their own tests. */
export interface LooseClient {
  readonly collections: Record<string, any>
  readonly globals: Record<string, any>
  readonly routes: any
  readonly search: any
  readonly channels: Record<string, any>
  readonly realtime: RealtimeApi
  readonly setLocale?: (locale: string) => void
  readonly getLocale?: () => string | undefined
  readonly getBasePath: () => string
}

export interface InterfaceWorld extends AsyncDisposable {
  readonly app: TestApp
  /** The client of a signed-in editor. */
  readonly client: LooseClient
  readonly anonymous: LooseClient
  /** Creates a client with settings of its own. */
  connect(config?: Partial<QuestpieClientConfig>): LooseClient
  /** Sends a plain request, as curl would. */
  request(path: string, init?: { method?: string; body?: unknown; headers?: Record<string, string> }): Promise<Answer>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

/** Starts an app that has everything the interface speaks of. */
export async function interfaceWorld(): Promise<InterfaceWorld> {
  const app = await testApp({
    collections: [authors, tags, articles, pages, media, settings, home, empty],
    routes,
    jobs,
    services,
    emails,
    channels,
    config: { locales: { default: "en", all: ["en", "sk"] } },
  })
  const { origin: baseURL, pathname: basePath } = new URL(app.url)
  return {
    app,
    // The casts are safe: only the types of the clients differ.
    client: app.as(ann) as unknown as LooseClient,
    anonymous: app.anonymous as unknown as LooseClient,
    connect: (config) => createClient({ baseURL, basePath, ...config }) as LooseClient,
    request: async (path, { method = "GET", body, headers } = {}) => {
      const response = await app.fetch(path, {
        as: ann,
        method,
        headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) }
    },
    [Symbol.asyncDispose]: () => app.stop(),
  }
}
