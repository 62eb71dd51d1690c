import type { IncomingMessage, ServerResponse } from "node:http"
import { type App, answerNodeRequest, pathBelow } from "../index.ts"

/** The part of Express's request that is used here. */
export interface ExpressRequest extends IncomingMessage {
  /** The URL as it was sent, independent of the router's mount path. */
  originalUrl: string
  /** The mount path of the router. */
  baseUrl: string
  /** Set by a body parser that has already read the body. */
  body?: unknown
}

/**
 * The app as a middleware of Express 5. Requests that are not for the app go on to the next handler.
 *
 * server.use(kitMiddleware(app))
 */
export function kitMiddleware(app: Pick<App, "basePath" | "handle" | "serves">) {
  return (request: ExpressRequest, response: ServerResponse, next: (error?: Error) => void): void => {
    const { originalUrl: url, body: parsedBody } = request
    if (!app.serves(url)) return void next(mountError(request.baseUrl, app.basePath))
    answerNodeRequest(app.handle, { request, response, url, parsedBody })
  }
}

// A mount path under which the app can never be reached is reported as an error: a 404 would not say why.
function mountError(mount: string, basePath: string): Error | undefined {
  const path = pathBelow(mount, basePath)
  return path instanceof Error ? path : undefined
}
