import { inspect } from "node:util"
import { collection, type RouteAccess, route, type Session } from "kit"
import { sql } from "kit/db"
import { service } from "kit/services"
import { describe, expect, test } from "vitest"
import { z } from "zod"
import { sendRaw } from "../support/processes/raw-http.ts"
import { sessions, type TestApp, testApp } from "../support/worlds/test-app.ts"

const ann: Session = { user: { id: "01890000-0000-7000-8000-00000000000a", token: "bearer-4711" } }
const LEAK = "postgres://root:swordfish@db.internal:5432/prod at /srv/app/secret.ts:7:3"

function explode(): never {
  throw new Error(LEAK)
}

describe("access that is anything but true", () => {
  const verdicts: Record<string, RouteAccess> = {
    false: false,
    "a function that gives false": () => false,
    undefined: () => undefined,
    zero: () => 0,
    // The types refuse this value, but JavaScript can still pass it.
    one: () => 1 as never,
    "an object": () => ({ owner: "me" }) as never,
    "the text true": () => "true" as never,
    "a throw": explode,
    "a rejection": () => Promise.reject(new Error(LEAK)),
    "a constant that is no boolean": "yes" as never,
  }

  test.each(Object.entries(verdicts))(
    "%s: 401 without a session, 403 with one, and nothing runs",
    async (_name, access) => {
      let runs = 0
      const count = () => void runs++
      const guarded = route()
        .schema(z.object({ secretField: z.string().refine(() => void count()) }))
        .access(access)
        .handler(count)
      await using app = await testApp({ routes: { guarded } })

      const anonymous = await app.fetch("/guarded", { method: "POST", body: "not even JSON" })
      const known = await app.fetch("/guarded", { method: "POST", body: '{"secretField":1}', session: ann })

      expect([anonymous.status, known.status, runs]).toEqual([401, 403, 0])
      for (const { body } of [anonymous, known]) expect(JSON.stringify(body)).not.toMatch(/secretField|swordfish/)
    },
  )

  test("true, and a promise of true, allow", async () => {
    const routes = {
      constant: route()
        .access(true)
        .handler(() => 1),
      promised: route()
        .access(({ session }) => Promise.resolve(session !== null))
        .handler(() => 2),
    }
    await using app = await testApp({ routes })

    const constant = await app.fetch("/constant", { method: "POST" })
    const promised = await app.fetch("/promised", { method: "POST", session: ann })

    expect([constant.body, promised.body]).toEqual([1, 2])
  })

  test("the rule of a raw route holds before its request is read", async () => {
    const guarded = route()
      .raw()
      .access(({ request }) => request.headers.get("x-key") === "open")
      .handler(async ({ request }) => new Response(await request.text()))
    await using app = await testApp({ routes: { guarded } })

    const closed = await fetch(`${app.url}/guarded`, { method: "POST", body: "x" })
    const open = await fetch(`${app.url}/guarded`, { method: "POST", body: "x", headers: { "x-key": "open" } })

    expect([closed.status, open.status, await open.text()]).toEqual([401, 200, "x"])
  })
})

describe("input", () => {
  const search = route()
    .get()
    .schema(z.strictObject({ term: z.string(), isExact: z.boolean().optional(), limit: z.number().optional() }))
    .handler(({ input }) => input)

  test.each([
    "/search-all?term=x&unknown=1",
    "/search-all?term[]=x",
    "/search-all?term[a]=x",
    "/search-all?term=x&isExact=true",
    "/search-all?term=x&isExact=1",
    "/search-all?term=x&limit=5",
    "/search-all?term=x&__proto__[a]=1",
    "/search-all?term=x&constructor[prototype][a]=1",
    "/search-all",
  ])("%s is 400", async (path) => {
    await using app = await testApp({ routes: { "search-all": search } })

    const answer = await sendRaw(app.url, { path })

    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe("VALIDATION_ERROR")
  })

  test("a wrong method is 405, an override of it is ignored, and what is not there is 404", async () => {
    await using app = await testApp({ routes: { "search-all": search } })
    const headers = { "x-http-method-override": "GET", "x-method-override": "GET", "x-http-method": "GET" }

    const wrong = await app.fetch("/search-all?term=x&_method=GET", { method: "DELETE", headers })
    const missing = await app.fetch("/search-all/x", { headers })

    expect([wrong.status, wrong.headers.get("allow"), missing.status]).toEqual([405, "GET, HEAD", 404])
  })
})

describe("a failure in the author's code", () => {
  const posts = collection("posts")
    .fields(({ f }) => ({ title: f.text() }))
    .access({ read: true, create: true })
    .hooks({ afterChange: explode })
  const routes = {
    database: route().handler(({ db }) => sql`select swordfish from nowhere where x = ${"bearer-4711"}`.execute(db)),
    hook: route().handler(({ collections }) => collections["posts"]?.create({ title: "x" })),
    bug: route().handler(() => (undefined as unknown as { a: { b: 1 } }).a.b),
    thrown: route().handler(() => {
      throw { secret: "swordfish" }
    }),
    service: route().handler((context) => (context as unknown as Record<string, unknown>)["broken"]),
    circle: route().handler(() => {
      const circle: Record<string, unknown> = {}
      circle["self"] = circle
      return circle
    }),
    unwritable: route().handler(() => explode),
    "raw-without-response": route()
      .raw()
      .handler(() => "text" as unknown as Response),
    "bad-status": route().handler(() => Response.error()),
    "read-response": route().handler(async () => {
      const response = new Response("x")
      await response.text()
      return response
    }),
  }
  const services = { broken: service({ lifecycle: "request", create: explode }) }

  test.each(Object.keys(routes))("%s is a 500 with the request id and nothing else", async (name) => {
    await using app = await testApp({ resources: [posts], routes, services })

    const answer = await app.fetch(`/${name}`, { method: "POST", session: ann })

    expect(answer.status).toBe(500)
    expect(Object.keys(answer.body.error)).toEqual(["code", "message", "requestId"])
    expect(answer.body.error.code).toBe("INTERNAL_SERVER_ERROR")
    expect(app.logged.at(-1)).toMatchObject({ fields: { requestId: answer.body.error.requestId } })
    checkSilence(app, answer)
  })

  function checkSilence(app: TestApp, answer: { body: unknown; headers: Headers }): void {
    const shown = JSON.stringify(answer.body) + JSON.stringify([...answer.headers])
    expect(shown).not.toMatch(/swordfish|select |postgres|\.ts|node_modules|nowhere|stack|\bat \w+/i)
    const logged = inspect(app.logged, { depth: 10 })
    expect(logged).not.toContain(sessions.sign(ann).split("=")[1] ?? "")
    expect(logged).not.toContain("bearer-4711")
  }
})
