import type { RequestListener } from "node:http"
import { type App, answerNodeRequest } from "../index.ts"

/**
 * The app as a listener for a `node:http` server of your own. Requests that are not for the app go to `otherwise`;
 * without it they are answered with 404.
 *
 * createServer(toNodeListener(app, (request, response) => response.end("hello"))).listen(3000)
 */
export function toNodeListener(app: Pick<App, "handle" | "serves">, otherwise?: RequestListener): RequestListener {
  return (request, response) => {
    if (otherwise && !app.serves(request.url ?? "/")) return otherwise(request, response)
    answerNodeRequest(app.handle, { request, response })
  }
}
