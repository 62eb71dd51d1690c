import type { App } from "../index.ts"

/** The part of Hono's context that is used here. */
export interface HonoContext {
  readonly req: { readonly raw: Request; arrayBuffer(): Promise<ArrayBuffer> }
  readonly env: unknown
}

export interface HonoOptions<Context extends HonoContext> {
  /** The address of the caller, if not on Node: `(context: Context) => getConnInfo(context).remote.address`. */
  addressOf?(context: Context): string | undefined
}

/**
 * The app as a middleware of Hono. Requests that are not for the app go on to the next handler.
 *
 * server.use(kitMiddleware(app))
 */
export function kitMiddleware<Context extends HonoContext>(
  app: Pick<App, "handler" | "serves">,
  { addressOf = nodeAddress }: HonoOptions<Context> = {},
) {
  return async (context: Context, next: () => Promise<void>): Promise<Response | undefined> => {
    if (app.serves(new URL(context.req.raw.url).pathname)) {
      return app.handler(await unreadRequest(context), { peerAddress: addressOf(context) })
    }
    await next()
    return undefined
  }
}

// Hono caches a body that an earlier middleware has read.
async function unreadRequest({ req }: HonoContext): Promise<Request> {
  const { url, method, headers, signal, bodyUsed } = req.raw
  if (!bodyUsed) return req.raw
  return new Request(url, { method, headers, signal, body: await req.arrayBuffer().catch(throwBodyAlreadyRead) })
}

function throwBodyAlreadyRead(cause: unknown): never {
  const advice = "Put kit before the middleware that reads it, or read it through context.req."
  throw new Error(`The body was read before kit saw the request, and cannot be read again. ${advice}`, { cause })
}

// Hono's server for Node puts the incoming message into the environment of a request.
function nodeAddress({ env }: HonoContext): string | undefined {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress
}
