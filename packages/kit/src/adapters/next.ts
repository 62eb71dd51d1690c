import type { App } from "../index.ts"

type NextApp = Pick<App, "handler" | "stop">
type OpenApp = () => NextApp | Promise<NextApp>
type RouteHandler = (request: Request) => Promise<Response>
type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS"

// Next.js reloads a module when its file changes, so state that must live as long as the process is stored on
// `globalThis`.
const APPS_KEY = Symbol.for("kit.next.apps")
const { [APPS_KEY]: apps } = Object.assign(globalThis, {
  [APPS_KEY]: existingApps() ?? new Map<string, Promise<NextApp>>(),
})

export interface KitRoutesOptions {
  /** The name that distinguishes this app from other apps in the same process. */
  readonly name?: string
}

/**
 * Returns the app as route handlers for Next's App Router, to be exported from `app/api/[[...path]]/route.ts`. The app
 * is opened at the first request, once per process.
 *
 * export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = kitRoutes(() => openApp())
 */
export function kitRoutes(open: OpenApp, { name = "app" }: KitRoutesOptions = {}): Record<Method, RouteHandler> {
  // In development, another call of `kitRoutes` means that Next.js has reloaded a changed file. The app that was opened
  // before is then outdated.
  let outdated = process.env["NODE_ENV"] === "development" ? apps.get(name) : undefined
  const current = () => {
    const known = apps.get(name)
    if (known !== undefined && known !== outdated) return known
    const opening = replaceApp(outdated, open)
    outdated = undefined
    apps.set(name, opening)
    // If the app fails to open, the next request tries again.
    opening.catch(() => apps.get(name) === opening && apps.delete(name))
    return opening
  }
  const answer: RouteHandler = async (request) => (await current()).handler(request)
  return { GET: answer, HEAD: answer, POST: answer, PUT: answer, PATCH: answer, DELETE: answer, OPTIONS: answer }
}

// Opens the new app before the outdated one stops, so that the embedded database keeps running for both apps.
function replaceApp(outdated: Promise<NextApp> | undefined, open: OpenApp): Promise<NextApp> {
  const opening = Promise.resolve().then(open)
  const stopOutdated = () => outdated?.then((app) => app.stop()).catch(() => {})
  opening.then(stopOutdated, stopOutdated)
  return opening
}

// Returns the apps that this module stored on `globalThis` before Next.js reloaded the module. The cast is safe,
// because no other module sets the property.
function existingApps(): Map<string, Promise<NextApp>> | undefined {
  return Reflect.get(globalThis, APPS_KEY) as Map<string, Promise<NextApp>> | undefined
}
