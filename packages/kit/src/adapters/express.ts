import type { IncomingMessage, ServerResponse } from "node:http"
import { type App, answerNodeRequest, pathBelow } from "../index.ts"

/** The part of Express's request that is used here. */
export interface ExpressRequest extends IncomingMessage {
  /** As it was sent, whatever the router was mounted at. */
  originalUrl: string
  /** Where the router was mounted. */
  baseUrl: string
  /** Set by a parser that has read the body. */
  body?: unknown
}

/**
 * The app as a middleware of Express 5. Requests that are not the app's go on to what follows.
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

// Where the app can never be reached, a 404 would not say why.
function mountError(mount: string, basePath: string): Error | undefined {
  const path = pathBelow(mount, basePath)
  return path instanceof Error ? path : undefined
}
