import { type App, pathBelow } from "../index.ts"

interface ElysiaContext {
  readonly request: Request
  /** Elysia's own HTTP server; null if Elysia itself does not listen on a port. */
  readonly server: { requestIP?(request: Request): { readonly address: string } | null } | null
}

/** The part of an Elysia instance that this adapter uses. */
export interface ElysiaHost {
  readonly config: { readonly prefix?: string | undefined }
  all(path: string, handler: (context: ElysiaContext) => Promise<Response>, hook: { parse: "none" }): unknown
}

/**
 * Returns the app as an Elysia plugin. The app answers its base path and the paths below it; all other paths stay with
 * your Elysia server.
 *
 * server.use(kitPlugin(app))
 */
export function kitPlugin(app: Pick<App, "basePath" | "handler">) {
  return <Host extends ElysiaHost>(host: Host): Host => {
    const path = pathBelow(host.config.prefix ?? "", app.basePath)
    if (path instanceof Error) throw path
    const answer = ({ request, server }: ElysiaContext) =>
      app.handler(request, { peerAddress: server?.requestIP?.(request)?.address })
    // Elysia must not parse the request body, because the app reads it.
    host.all(`${path}/*`, answer, { parse: "none" })
    // The root path itself belongs to the pattern above.
    if (app.basePath !== "") host.all(path, answer, { parse: "none" })
    return host
  }
}
