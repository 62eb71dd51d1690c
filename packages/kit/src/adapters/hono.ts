import type { App } from "../index.ts"

/** The part of Hono's context that this adapter uses. */
export interface HonoContext {
  readonly req: { readonly raw: Request; arrayBuffer(): Promise<ArrayBuffer> }
  readonly env: unknown
}

export interface HonoOptions<Context extends HonoContext> {
  /**
   * Returns the caller's IP address. Outside Node, set it to `(context: Context) =>
   * getConnInfo(context).remote.address`.
   */
  addressOf?(context: Context): string | undefined
}

/**
 * Returns the app as a Hono middleware. Requests that are not for the app go on to the next handler.
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

// Returns a request whose body can still be read. If an earlier middleware has read the body, a new request is created
// from the copy that Hono has cached.
async function unreadRequest({ req }: HonoContext): Promise<Request> {
  const { url, method, headers, signal, bodyUsed } = req.raw
  if (!bodyUsed) return req.raw
  return new Request(url, { method, headers, signal, body: await req.arrayBuffer().catch(throwBodyAlreadyRead) })
}

function throwBodyAlreadyRead(cause: unknown): never {
  const advice = "Put kit before the middleware that reads it, or read it through context.req."
  throw new Error(`The body was read before kit saw the request, and cannot be read again. ${advice}`, { cause })
}

// Returns the caller's IP address if the app runs on Node. Hono's Node server puts Node's incoming message, which has
// the socket's address, into `env`.
function nodeAddress({ env }: HonoContext): string | undefined {
  const { incoming } = (env ?? {}) as { incoming?: { socket?: { remoteAddress?: string } } }
  return incoming?.socket?.remoteAddress
}
