import { type App, pathBelow } from "../index.ts"

interface ElysiaContext {
  readonly request: Request
  /** Null if Elysia itself does not listen. */
  readonly server: { requestIP?(request: Request): { readonly address: string } | null } | null
}

/** The part of an Elysia instance that is used here. */
export interface ElysiaHost {
  readonly config: { readonly prefix?: string | undefined }
  all(path: string, handler: (context: ElysiaContext) => Promise<Response>, hook: { parse: "none" }): unknown
}

/**
 * The app as a plugin of Elysia. Its routes lie below the app's base path; the host keeps all other paths.
 *
 * server.use(kitPlugin(app))
 */
export function kitPlugin(app: Pick<App, "basePath" | "handler">) {
  return <Host extends ElysiaHost>(host: Host): Host => {
    const path = pathBelow(host.config.prefix ?? "", app.basePath)
    if (path instanceof Error) throw path
    const answer = ({ request, server }: ElysiaContext) =>
      app.handler(request, { peerAddress: server?.requestIP?.(request)?.address })
    // Elysia must not parse the body: the app reads it.
    host.all(`${path}/*`, answer, { parse: "none" })
    return host
  }
}
