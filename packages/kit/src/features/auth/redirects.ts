import { ApiError, invalid } from "../../wire/errors/api-error.ts"

type Body = Readonly<Record<string, unknown>>

/** The origins to which a redirect may lead: the app's own origin and the configured ones. */
export interface RedirectOrigins {
  readonly own: string
  readonly others: readonly string[]
}

/** The property names of an identity request whose values are redirect URLs. */
const REDIRECT_NAMES = ["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"]

/**
 * Returns the request body with its redirect URLs resolved as a browser would resolve them, so that the URL that is
 * checked is also the URL that is used later. Rejects URLs outside of the app's own and the configured origins.
 */
export function resolveBodyRedirects(body: Body, origins: RedirectOrigins): Body {
  const resolved = REDIRECT_NAMES.flatMap((name) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    return isNothing(value) ? [] : [[name, resolveRedirect(name, value, origins)]]
  })
  return resolved.length === 0 ? body : { ...body, ...Object.fromEntries(resolved) }
}

/**
 * Like `resolveBodyRedirects`, for a query string. Rejects a redirect parameter that appears twice, because parsers
 * differ in which of the two values they take.
 */
export function resolveQueryRedirects(query: string, origins: RedirectOrigins): string {
  const parameters = new URLSearchParams(query)
  const named = REDIRECT_NAMES.filter((name) => parameters.has(name))
  for (const name of named) {
    const values = parameters.getAll(name)
    if (values.length > 1) throw invalid(name, "Must appear only once.")
    if (!isNothing(values[0])) parameters.set(name, resolveRedirect(name, values[0], origins))
  }
  return named.length === 0 ? query : parameters.toString()
}

/**
 * Rejects a redirect URL outside of the allowed origins. The URL was stored when the sign-in began, and the allowed
 * origins may have changed since.
 */
export function checkLocation(location: string, origins: RedirectOrigins): void {
  if (URL.canParse(location, origins.own) && isAllowed(new URL(location, origins.own), origins)) return
  throw new ApiError("BAD_REQUEST", {
    message: "This redirect leads outside of the app. Start again from a page of the app.",
  })
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

// True if a URL contains backslashes, spaces or control characters. Browsers treat a backslash as a slash, and remove
// control characters before they parse the URL.
function hasOddCharacters(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
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

// Returns the URL's path, or undefined if the path is unsafe. Resolving dot segments can leave a path that begins with
// two slashes, which a browser reads as another host. An encoded slash is unsafe because a later parser may decode it.
function ownPath({ pathname, search, hash }: URL): string | undefined {
  return pathname.startsWith("//") || /%2f|%5c/i.test(pathname) ? undefined : `${pathname}${search}${hash}`
}

function isAllowed({ origin, username, password }: URL, { own, others }: RedirectOrigins): boolean {
  return username === "" && password === "" && (origin === own || others.includes(origin))
}
