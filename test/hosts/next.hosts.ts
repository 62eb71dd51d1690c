import type { App } from "kit"
import { kitRoutes } from "kit/adapters/next"
import { afterEach, describe, expect, test, vi } from "vitest"
import { describeHost } from "./support/conformance.ts"
import { listenWithFetch } from "./support/running-host.ts"

// Next itself is large: the long tests make a real build of it.
describeHost({
  name: "route handlers of Next",
  tellsAddress: false,
  start: (app) => {
    const handlers = handlersOf(app)
    return listenWithFetch((request) => {
      const { pathname } = new URL(request.url)
      if (pathname === "/host/ping") return new Response("pong")
      if (!app.serves(pathname)) return new Response("no such page", { status: 404 })
      // Next itself answers methods that the file does not export.
      return handlers[request.method]?.(request) ?? new Response(null, { status: 405 })
    })
  },
})

let apps = 0

// Each test has its own app, and all share one process.
function handlersOf(app: App): Partial<Record<string, (request: Request) => Promise<Response>>> {
  apps += 1
  return kitRoutes(() => app, { name: `app ${apps}` })
}

describe("an app in Next", () => {
  afterEach(() => vi.unstubAllEnvs())

  /** An app that returns its name, and records when it is stopped. */
  const named = (name: string, stopped: string[] = []) => ({
    handler: () => Promise.resolve(new Response(name)),
    stop: () => Promise.resolve(void stopped.push(name)),
  })
  const ask = async ({ GET }: ReturnType<typeof kitRoutes>) =>
    (await GET(new Request("http://localhost/api/health"))).text()

  test("is opened once, at the first request, however many come at once", async () => {
    let opened = 0
    const open = () => named(`app ${++opened}`)
    const routes = kitRoutes(open, { name: "once" })
    const copy = kitRoutes(open, { name: "once" })

    expect(opened).toBe(0)
    expect(await Promise.all([ask(routes), ask(routes), ask(copy)])).toEqual(["app 1", "app 1", "app 1"])
  })

  test("that cannot be opened is tried again with the next request", async () => {
    let attempts = 0
    const routes = kitRoutes(() => (++attempts === 1 ? Promise.reject(new Error("no database")) : named("late")), {
      name: "retry",
    })

    await expect(ask(routes)).rejects.toThrow("no database")
    expect(await ask(routes)).toBe("late")
  })

  test("is opened anew in development when its file is loaded anew, and the old one stopped", async () => {
    vi.stubEnv("NODE_ENV", "development")
    const stopped: string[] = []
    const before = kitRoutes(() => named("before", stopped), { name: "reload" })
    await ask(before)
    const after = kitRoutes(() => named("after", stopped), { name: "reload" })

    const answers = [await ask(after), await ask(before), await ask(after)]

    expect(answers).toEqual(["after", "after", "after"])
    expect(stopped).toEqual(["before"])
  })

  test("stays as it is in production, whichever file asks for it", async () => {
    vi.stubEnv("NODE_ENV", "production")
    const stopped: string[] = []
    const first = kitRoutes(() => named("first", stopped), { name: "kept" })
    await ask(first)
    const second = kitRoutes(() => named("second", stopped), { name: "kept" })

    expect([await ask(second), await ask(first), stopped]).toEqual(["first", "first", []])
  })
})
