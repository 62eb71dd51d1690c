import { ApiError, invalid } from "../../wire/errors/api-error.ts"

type Body = Readonly<Record<string, unknown>>

/** The allowed targets of a redirect: the origin of the app, and the origins in the configuration. */
export interface RedirectOrigins {
  readonly own: string
  readonly others: readonly string[]
}

/** The properties of an identity request that name a redirect target. */
const REDIRECT_NAMES = ["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"]

/**
 * Returns the body with its redirects resolved as a browser would, so that the URL that was checked is the one used
 * from here on. Rejects a URL outside of the app and of the configured origins.
 */
export function resolveBodyRedirects(body: Body, origins: RedirectOrigins): Body {
  const resolved = REDIRECT_NAMES.flatMap((name) => {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    return isNothing(value) ? [] : [[name, resolveRedirect(name, value, origins)]]
  })
  return resolved.length === 0 ? body : { ...body, ...Object.fromEntries(resolved) }
}

/** Like `resolveBodyRedirects`. Rejects a redirect that the query names twice: parsers differ in which they take. */
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

/** Rejects a target outside of the allowed origins: it was stored at the start, and may not be allowed any more. */
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

// Browsers treat a backslash as a slash, and remove control characters before they parse.
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

// Without its dot segments a path can begin with two slashes, and alone it is then the URL of another host. An encoded
// slash is rejected too: another parser may decode it later.
function ownPath({ pathname, search, hash }: URL): string | undefined {
  return pathname.startsWith("//") || /%2f|%5c/i.test(pathname) ? undefined : `${pathname}${search}${hash}`
}

function isAllowed({ origin, username, password }: URL, { own, others }: RedirectOrigins): boolean {
  return username === "" && password === "" && (origin === own || others.includes(origin))
}
