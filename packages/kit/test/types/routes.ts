// Compiled, never run: a line below @ts-expect-error must not compile, every other line must.
import { type HandlerContext, type RouteContext, route, type SignedInContext, type StandardSchema, signedIn } from "kit"
import { createClient } from "kit/client"
import { service } from "kit/services"
import { z } from "zod"
import type { AppConfig } from "./newspaper/src/generated/index.ts"
import { same } from "./same.ts"

const { routes } = createClient<AppConfig>({ baseURL: "http://localhost:3000" })

export async function callsOfTheClient() {
  const stats = await routes.stats.get()
  same<typeof stats, { articles: bigint; since: Date }>()
  // @ts-expect-error the route takes GET only
  await routes.stats()
  // @ts-expect-error the route takes GET only
  await routes.stats.post()
  // @ts-expect-error no such route
  await routes.stat.get()

  const found = await routes.adminSearch.get({ term: "x", page: "2" })
  same<typeof found, { hits: string[]; page: number }>()
  await routes.adminSearch.get({ term: "x" })
  // @ts-expect-error a member is missing
  await routes.adminSearch.get({})
  // @ts-expect-error the input is missing
  await routes.adminSearch.get()
  // @ts-expect-error a member has another type
  await routes.adminSearch.get({ term: 5 })

  const club = routes.clubs.$club("a/b")
  const invited = await club.invite({ email: "a@b.sk" })
  same<typeof invited, { club: string | undefined; email: string; role: "writer" | "editor" }>()
  await club.invite.post({ email: "a@b.sk", role: "editor" })
  // @ts-expect-error no such choice
  await club.invite({ email: "a@b.sk", role: "boss" })
  // @ts-expect-error the value is missing
  routes.clubs.$club()
  const nothing = await club.delete()
  same<typeof nothing, null>()

  const call = { signal: new AbortController().signal, timeout: 500 }
  await routes.stats.get({}, call)
  await club.invite({ email: "a@b.sk" }, call)
  await club.delete(undefined, call)
  // @ts-expect-error the input comes first
  await club.invite(call)

  const raw = await routes.files.$path(["a", "b"]).get()
  same<typeof raw, unknown>()
  const { url } = routes.files
  same<typeof url, string>()
}

export async function callsWithoutTypes() {
  const untyped = createClient({ baseURL: "http://localhost:3000" }).routes
  const members = untyped["clubs"]?.["$club"]?.("a")["members"]
  const answer = await members?.["get"]?.({ page: 2 }, { timeout: 500 })
  same<typeof answer, unknown>()
  const url: string | undefined = members?.url
  // @ts-expect-error no such option of a call
  await members?.({}, { retries: 3 })
  return url
}

export function handlers() {
  route()
    .schema(z.object({ page: z.coerce.number(), at: z.string().transform((text) => new Date(text)) }))
    .handler(({ input, params: { team }, request }) => {
      same<typeof input, { page: number; at: Date }>()
      same<typeof team, string | undefined>()
      same<typeof request, Request>()
    })
  route().handler(({ input }) => {
    same<typeof input, unknown>()
  })
  route().handler(async ({ transaction }) => {
    const stored = await transaction(async ({ session }) => ({ by: session?.user.id, step: "stored" }))
    same<typeof stored, { by: string | undefined; step: string }>()
    // @ts-expect-error what is done in a transaction is awaited
    await transaction(() => 5)
  })
  const counted = route().output(z.object({ count: z.number() }))
  counted.handler(() => new Response("x"))
  // @ts-expect-error the result does not fit
  counted.handler(() => ({ count: "three" }))
  const raw = route().raw()
  // @ts-expect-error a raw route returns a Response
  raw.handler(() => "text")
  // @ts-expect-error a raw route has no input
  raw.handler(({ input }) => new Response(String(input)))
  // @ts-expect-error a raw route reads its request itself
  raw.schema(z.string())
  const checked = route().schema(z.string())
  // @ts-expect-error a raw route reads its request itself
  checked.raw()
  // @ts-expect-error a rule gives a boolean
  route().access(() => "yes")
  // @ts-expect-error a rule is evaluated before the input is read
  route().access(({ input }) => input !== undefined)
}

export function sessions() {
  route()
    .access(signedIn)
    .handler(({ session, transaction }) => {
      same<(typeof session)["user"]["id"], string>()
      return transaction(async (inner) => inner.session.user.id)
    })
  route()
    .get()
    .access((context) => context.session !== null)
    .schema(z.object({ a: z.string() }))
    .handler(({ session, input }) => session.user.id + input.a)
  route()
    .schema(z.string())
    .access((context) => context.session !== null)
    .handler(({ session }) => session.user.id)
  const isAdmin = (context: HandlerContext): context is SignedInContext => context.session?.user.role === "admin"
  route()
    .raw()
    .access(isAdmin)
    .handler(({ session, request }) => new Response(session.user.id + request.url))

  // Destructured, the rule is only a boolean to the compiler.
  const destructured = route().access(({ session }) => session !== null)
  // @ts-expect-error possibly null
  destructured.handler(({ session }) => session.user.id)
  const anonymous = route().access((context) => context.session === null)
  // @ts-expect-error possibly null
  anonymous.handler(({ session }) => session.user.id)
  const either = route().access((context) => context.session !== null || context.locale === "en")
  // @ts-expect-error possibly null
  either.handler(({ session }) => session.user.id)
  const replaced = route().access(signedIn).access(true)
  // @ts-expect-error possibly null, because the second rule replaces the first one
  replaced.handler(({ session }) => session.user.id)
  // @ts-expect-error possibly null
  route().handler(({ session }) => session.user.id)
}

export function paths() {
  route("/clubs/[club]/files/[...path]")
    .access(({ params }) => params.club !== params.path)
    .handler(({ params }) => {
      same<typeof params, { readonly club: string; readonly path: string }>()
      // @ts-expect-error no such parameter
      params.team
    })
  route("/clubs/[club]")
    .access(signedIn)
    .handler(({ params, session }) => params.club + session.user.id)
  route("/clubs/[club]")
    .raw()
    .handler(({ params }) => new Response(params.club))
  // @ts-expect-error no parameters
  route("/stats").handler(({ params }) => params.club)
  // @ts-expect-error no such parameter
  route("/clubs/[club]").access(({ params }) => params.clb === "a")
  // @ts-expect-error begins with a slash
  route("clubs/[club]")
}

export function schemasOfOthers(celsius: StandardSchema<string, number>, untyped: { "~standard": { version: 1 } }) {
  const typed = route()
    .schema(celsius)
    .handler(({ input }) => {
      same<typeof input, number>()
      return new Date()
    })
  same<(typeof typed)["types"], { readonly given: string; readonly answer: Date }>()
  const shaped = route().output(celsius)
  shaped.handler(() => "21")
  // @ts-expect-error the schema takes text
  shaped.handler(() => 21)
  route()
    .schema(untyped)
    .handler(({ input }) => {
      same<typeof input, unknown>()
    })
  // @ts-expect-error no schema
  route().schema({ parse: () => 5 })
}

export function answers(mixed: boolean) {
  const plain = route().handler(async () => await Promise.resolve({ a: 1 }))
  same<(typeof plain)["types"]["answer"], { a: number }>()
  const maybe = route().handler(() => (mixed ? { a: 1 } : undefined))
  same<(typeof maybe)["types"]["answer"], { a: number } | null>()
  const response = route().handler(() => (mixed ? { a: 1 } : new Response("x")))
  same<(typeof response)["types"]["answer"], unknown>()
  const fits = (context: RouteContext<{ a: string }>) => context.input.a
  route()
    .schema(z.object({ a: z.string() }))
    .handler(fits)
}

export function services() {
  const slow = service({
    lifecycle: "singleton",
    create: async () => await Promise.resolve({ close: () => {} }),
    dispose: (instance) => instance.close(),
  })
  same<typeof slow.instance, Promise<{ close: () => void }>>()
  // @ts-expect-error no such lifecycle
  service({ lifecycle: "transient", create: () => 0 })
}
