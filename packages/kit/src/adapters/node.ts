import type { RequestListener } from "node:http"
import { type App, answerNodeRequest } from "../index.ts"

/**
 * Returns the app as a listener for your own `node:http` server. Requests that are not for the app go to `otherwise`,
 * or get a 404 response if it is not passed.
 *
 * createServer(toNodeListener(app, (request, response) => response.end("hello"))).listen(3000)
 */
export function toNodeListener(app: Pick<App, "handle" | "serves">, otherwise?: RequestListener): RequestListener {
  return (request, response) => {
    if (otherwise && !app.serves(request.url ?? "/")) return otherwise(request, response)
    answerNodeRequest(app.handle, { request, response })
  }
}
