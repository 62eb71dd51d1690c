import type { IncomingMessage, ServerResponse } from "node:http"
import { type App, answerNodeRequest } from "../index.ts"

/** The part of Express's request that is used here. */
export interface ExpressRequest extends IncomingMessage {
  /** As it was sent, whatever the router was mounted at. */
  originalUrl: string
  /** Set by a parser that has read the body. */
  body?: unknown
}

/**
 * The app as a middleware of Express 5. Requests that are not the app's go on to what follows.
 *
 * server.use(kitMiddleware(app))
 */
export function kitMiddleware(app: Pick<App, "handle" | "serves">) {
  return (request: ExpressRequest, response: ServerResponse, next: () => void): void => {
    const { originalUrl: url, body: parsedBody } = request
    if (!app.serves(url)) return void next()
    answerNodeRequest(app.handle, { request, response, url, parsedBody })
  }
}
