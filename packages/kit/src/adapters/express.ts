import type { IncomingMessage, ServerResponse } from "node:http"
import { type App, answerNodeRequest, pathBelow } from "../index.ts"

/** The part of Express's request that this adapter uses. */
export interface ExpressRequest extends IncomingMessage {
  /** The request URL as it was sent, including the path under which the router is mounted. */
  originalUrl: string
  /** The path under which the router is mounted. */
  baseUrl: string
  /** The parsed body, if a body parser has already read it. */
  body?: unknown
}

/**
 * Returns the app as an Express 5 middleware. Requests that are not for the app go on to the next handler.
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

// Returns the error that explains why the app can never be reached under this mount path, or undefined if it can be
// reached. Without the error, every request would get a 404 response without a reason.
function mountError(mount: string, basePath: string): Error | undefined {
  const path = pathBelow(mount, basePath)
  return path instanceof Error ? path : undefined
}
