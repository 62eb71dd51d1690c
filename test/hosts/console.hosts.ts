import { createServer, type Server } from "node:http"
import { createAdaptorServer } from "@hono/node-server"
import { Elysia } from "elysia"
import express from "express"
import fastify from "fastify"
import { Hono } from "hono"
import type { App } from "kit"
import { kitPlugin as elysiaPlugin } from "kit/adapters/elysia"
import { kitMiddleware as expressMiddleware } from "kit/adapters/express"
import { kitPlugin as fastifyPlugin } from "kit/adapters/fastify"
import { kitMiddleware as honoMiddleware } from "kit/adapters/hono"
import { toNodeListener } from "kit/adapters/node"
import { describe, expect, test } from "vitest"
import { addressesIn, bootIn } from "../console/support/boot-data.ts"
import { hostWorld } from "./support/host-world.ts"
import { listen, listenWithFetch, type StartHost } from "./support/running-host.ts"

const OWN = "a page of the host"

const ASKING_HOSTS: Readonly<Record<string, StartHost>> = {
  "node:http": (app) => listen(createServer(toNodeListener(app, (_request, response) => response.end(OWN)))),
  Express: (app) => {
    const server = express()
    server.use(expressMiddleware(app))
    server.get("/{*path}", (_request, response) => void response.send(OWN))
    return listen(createServer(server))
  },
  Hono: (app) => {
    const server = new Hono()
    server.use(honoMiddleware(app))
    server.get("*", (context) => context.text(OWN))
    // Without options, the adaptor returns a server of node:http.
    return listen(createAdaptorServer(server) as Server)
  },
}

const ALL_HOSTS: Readonly<Record<string, StartHost>> = {
  ...ASKING_HOSTS,
  Fastify: async (app) => {
    const server = fastify()
    await server.register(fastifyPlugin, { app })
    const origin = await server.listen({ port: 0, host: "127.0.0.1" })
    return { origin, stop: () => server.close() }
  },
  Elysia: (app) => listenWithFetch(new Elysia().use(elysiaPlugin(app)).fetch),
}

async function withHost(start: StartHost, app: App, work: (origin: string) => Promise<void>): Promise<void> {
  const { origin, stop } = await start(app)
  try {
    await work(origin)
  } finally {
    await stop()
  }
}

describe.each(Object.entries(ALL_HOSTS))("inside %s", (_name, start) => {
  test("the console is below the base path", async () => {
    await using world = await hostWorld()

    await withHost(start, world.app, async (origin) => {
      const response = await fetch(`${origin}/api/_kit/console/collections/notes`)
      const html = await response.text()
      const { script } = addressesIn(html)
      const file = await fetch(`${origin}${script}`)

      expect(bootIn(html)).toMatchObject({ consoleBase: "/api/_kit/console", apiBase: "/api" })
      expect(response.headers.get("content-security-policy")).toContain("script-src 'self'")
      expect([file.status, file.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"])
      expect((await file.text()).length).toBeGreaterThan(10_000)
    })
  })
})

describe.each(Object.entries(ASKING_HOSTS))("inside %s", (_name, start) => {
  test("/admin stays with the host unless the setting names it", async () => {
    await using world = await hostWorld()

    await withHost(start, world.app, async (origin) => {
      const response = await fetch(`${origin}/admin`)

      expect(await response.text()).toBe(OWN)
    })
  })

  test("the console is at the path that the setting names", async () => {
    await using world = await hostWorld({ console: { path: "/admin" } })

    await withHost(start, world.app, async (origin) => {
      const page = await fetch(`${origin}/admin/collections/notes`)
      const html = await page.text()
      const { script } = addressesIn(html)
      const head = await fetch(`${origin}/admin`, { method: "HEAD" })

      expect(bootIn(html)).toMatchObject({ consoleBase: "/admin" })
      expect([head.status, await head.text()]).toEqual([200, ""])
      expect((await fetch(`${origin}${script}`)).status).toBe(200)
      expect(await (await fetch(`${origin}/administrator`)).text()).toBe(OWN)
    })
  })
})

test("a node:http listener without another one answers /admin itself", async () => {
  await using world = await hostWorld()
  const start: StartHost = (app) => listen(createServer(toNodeListener(app)))

  await withHost(start, world.app, async (origin) => {
    expect(bootIn(await (await fetch(`${origin}/admin`)).text())).toMatchObject({ consoleBase: "/admin" })
  })
})
