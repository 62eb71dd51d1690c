import { ApiError, invalid } from "../../wire/errors/api-error.ts"

type Body = Readonly<Record<string, unknown>>

/** Where a browser may be sent to: the origin of the app, and those that the configuration names. */
export interface RedirectOrigins {
  readonly own: string
  readonly others: readonly string[]
}

/** The members of a body or a query of the identity paths that say where a browser is sent to. */
const REDIRECT_NAMES = ["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"]

/**
 * The body with its redirects as a browser resolves them, so that the address that was checked is the one that is used
 * from here on. Refuses an address that leads anywhere but to the app or to an origin that the configuration names.
 */
export function resolveBodyRedirects(body: Body, origins: RedirectOrigins): Body {
  const resolved = REDIRECT_NAMES.flatMap((name) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    return isNothing(value) ? [] : [[name, resolveRedirect(name, value, origins)]]
  })
  return resolved.length === 0 ? body : { ...body, ...Object.fromEntries(resolved) }
}

/** As for a body; a redirect that the query names twice is refused, because readers may differ in which one they take. */
export function resolveQueryRedirects(query: string, origins: RedirectOrigins): string {
  const parameters = new URLSearchParams(query)
  const named = REDIRECT_NAMES.filter((name) => parameters.has(name))
  for (const name of named) {
    const values = parameters.getAll(name)
    if (values.length > 1) throw invalid(name, "Say it once.")
    if (!isNothing(values[0])) parameters.set(name, resolveRedirect(name, values[0], origins))
  }
  return named.length === 0 ? query : parameters.toString()
}

/** Refuses to send a browser outside: what was stored when a sign-in began may not be allowed any more. */
export function checkLocation(location: string, origins: RedirectOrigins): void {
  if (URL.canParse(location, origins.own) && isAllowed(new URL(location, origins.own), origins)) return
  throw new ApiError("BAD_REQUEST", { message: "This leads outside of the app. Begin again from a page of the app." })
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === ""
}

function resolveRedirect(name: string, value: unknown, origins: RedirectOrigins): string {
  const resolved = typeof value === "string" && !hasOddCharacters(value) ? resolve(value, origins) : undefined
  if (resolved !== undefined) return resolved
  const remedy = "Give a path such as /welcome, or name its origin in auth.trustedRedirects."
  throw invalid(name, `Leads outside of the app. ${remedy}`)
}

// Browsers take a backslash for a slash, and leave out control characters before they read.
function hasOddCharacters(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about.
  return /[\\\u0000-\u0020\u007f-\u009f]/.test(value)
}

function resolve(value: string, origins: RedirectOrigins): string | undefined {
  const isPath = /^\/(?!\/)/.test(value)
  if (!isPath && !/^https?:\/\/[^/]/i.test(value)) return undefined
  if (!URL.canParse(value, origins.own)) return undefined
  const url = new URL(value, origins.own)
  if (!isAllowed(url, origins)) return undefined
  return isPath ? ownPath(url) : url.href
}

// Without its dot segments a path can begin with two slashes, and is then the address of another host when it stands alone.
// Nor must it name another host once a reader further on has decoded it.
function ownPath({ pathname, search, hash }: URL): string | undefined {
  return pathname.startsWith("//") || /%2f|%5c/i.test(pathname) ? undefined : `${pathname}${search}${hash}`
}

function isAllowed({ origin, username, password }: URL, { own, others }: RedirectOrigins): boolean {
  return username === "" && password === "" && (origin === own || others.includes(origin))
}
