import type { App } from "../index.ts"

type NextApp = Pick<App, "handler" | "stop">
type OpenApp = () => NextApp | Promise<NextApp>
type RouteHandler = (request: Request) => Promise<Response>
type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"

// Next loads a file anew when it changes: what lives as long as the process is kept outside of it.
const KEPT = Symbol.for("kit.next.app")
const kept = globalThis as { [KEPT]?: Promise<NextApp> | undefined }

/**
 * The app as route handlers of Next's App Router, for `app/api/[...path]/route.ts`. The app is opened at the first
 * request, once for the process.
 *
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = kitRoutes(() => openApp())
 */
export function kitRoutes(open: OpenApp): Readonly<Record<Method, RouteHandler>> {
  // While developing, a new copy of the file means that something has changed: what was opened before it is out of date.
  let outdated = process.env["NODE_ENV"] === "development" ? kept[KEPT] : undefined
  const answer: RouteHandler = async (request) => {
    if (kept[KEPT] === undefined || kept[KEPT] === outdated) kept[KEPT] = openInPlaceOf(outdated, open)
    outdated = undefined
    const app = await kept[KEPT]
    return app.handler(request)
  }
  return { GET: answer, HEAD: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer, OPTIONS: answer }
}

// The new app is opened first, so that the two share an embedded database; one that fails is tried again by the next request.
function openInPlaceOf(outdated: Promise<NextApp> | undefined, open: OpenApp): Promise<NextApp> {
  const opening = Promise.resolve().then(open)
  const forget = () => {
    if (kept[KEPT] === opening) kept[KEPT] = undefined
  }
  const stopOutdated = () => outdated?.then((app) => app.stop()).catch(() => {})
  opening.catch(forget).finally(stopOutdated)
  return opening
}
