import type { App } from "kit"
import { kitRoutes } from "kit/adapters/next"
import { describeHost } from "./support/conformance.ts"
import { listenWithFetch } from "./support/running-host.ts"

// Next itself is large: a real build of it is in the long tests.
describeHost({
  name: "route handlers of Next",
  tellsAddress: false,
  start: (app) => {
    const handlers = handlersOf(app)
    return listenWithFetch((request) => {
      const { pathname } = new URL(request.url)
      if (pathname === "/host/ping") return new Response("pong")
      if (!pathname.startsWith(`${app.basePath}/`)) return new Response("no such page", { status: 404 })
      // Next answers a method that the file does not export.
      return handlers[request.method]?.(request) ?? new Response(null, { status: 405 })
    })
  },
})

let apps = 0

// Each test has an app of its own, and all of them one process.
function handlersOf(app: App): Partial<Record<string, (request: Request) => Promise<Response>>> {
  apps += 1
  return kitRoutes(() => app, { name: `app ${apps}` })
}
