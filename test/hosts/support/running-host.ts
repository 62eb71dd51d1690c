import { once } from "node:events"
import type { Server } from "node:http"
import type { AddressInfo } from "node:net"
import { createAdaptorServer } from "@hono/node-server"
import type { App } from "kit"

/** A running host framework, with its own route /host/ping that answers "pong". */
export interface RunningHost {
  readonly origin: string
  /** Stops the host as it stops itself: pending requests are answered. */
  stop(): Promise<void>
}

export type StartHost = (app: App) => Promise<RunningHost>

export async function listen(server: Server): Promise<RunningHost> {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  // A server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, stop: () => close(server) }
}

/** Serves a host that is a web-standard function, as on Node. */
export function listenWithFetch(fetch: (request: Request) => Response | Promise<Response>): Promise<RunningHost> {
  // Without options, the adaptor returns a server of node:http.
  return listen(createAdaptorServer({ fetch, overrideGlobalObjects: false }) as Server)
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
}
