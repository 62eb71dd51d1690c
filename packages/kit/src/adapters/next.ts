import type { App } from "../index.ts"

type NextApp = Pick<App, "handler" | "stop">
type OpenApp = () => NextApp | Promise<NextApp>
type RouteHandler = (request: Request) => Promise<Response>
type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"

// Next reloads a module when its file changes: state that lives as long as the process is stored on `globalThis`.
const APPS_KEY = Symbol.for("kit.next.apps")
const { [APPS_KEY]: apps } = Object.assign(globalThis, {
  [APPS_KEY]: existingApps() ?? new Map<string, Promise<NextApp>>(),
})

export interface KitRoutesOptions {
  /** Distinguishes the apps where one process serves several. */
  readonly name?: string
}

/**
 * The app as route handlers of Next's App Router, for `app/api/[...path]/route.ts`. The app is opened at the first
 * request, once for the process.
 *
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = kitRoutes(() => openApp())
 */
export function kitRoutes(open: OpenApp, { name = "app" }: KitRoutesOptions = {}): Record<Method, RouteHandler> {
  // In development, another call means that Next has reloaded a changed file: the app opened before is outdated.
  let outdated = process.env["NODE_ENV"] === "development" ? apps.get(name) : undefined
  const current = () => {
    const known = apps.get(name)
    if (known !== undefined && known !== outdated) return known
    const opening = replaceApp(outdated, open)
    outdated = undefined
    apps.set(name, opening)
    // If opening fails, the next request tries again.
    opening.catch(() => apps.get(name) === opening && apps.delete(name))
    return opening
  }
  const answer: RouteHandler = async (request) => (await current()).handler(request)
  return { GET: answer, HEAD: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer, OPTIONS: answer }
}

// The new app is opened before the old one stops, so that the embedded database keeps running for both.
function replaceApp(outdated: Promise<NextApp> | undefined, open: OpenApp): Promise<NextApp> {
  const opening = Promise.resolve().then(open)
  const stopOutdated = () => outdated?.then((app) => app.stop()).catch(() => {})
  opening.then(stopOutdated, stopOutdated)
  return opening
}

// An earlier evaluation of this module set it.
function existingApps(): Map<string, Promise<NextApp>> | undefined {
  return Reflect.get(globalThis, APPS_KEY) as Map<string, Promise<NextApp>> | undefined
}
