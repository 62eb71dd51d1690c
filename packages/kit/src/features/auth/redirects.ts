import { invalid } from "../../wire/api-error.ts"

/** Where a body or a query of the identity paths may send a browser to. */
const REDIRECT_NAMES = ["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"]

/** Refuses an address that leads anywhere but to the app itself or to an origin that the configuration names. */
export function checkRedirects(given: Readonly<Record<string, unknown>>, origins: readonly string[]): void {
  for (const name of REDIRECT_NAMES) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined || value === null || value === "") continue
    if (!isAllowed(value, origins)) {
      throw invalid(
        name,
        "Leads outside of the app. Give a path such as /welcome, or name its origin in auth.trustedRedirects.",
      )
    }
  }
}

function isAllowed(value: unknown, origins: readonly string[]): boolean {
  if (typeof value !== "string" || hasOddCharacters(value)) return false
  if (value.startsWith("/")) return isOwnPath(value)
  if (!/^https?:\/\/[^/]/i.test(value) || !URL.canParse(value)) return false
  const { origin, username, password } = new URL(value)
  return username === "" && password === "" && origins.includes(origin)
}

// Browsers take a backslash for a slash, and leave out control characters before they read.
function hasOddCharacters(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about.
  return /[\\\u0000-\u0020\u007f-\u009f]/.test(value)
}

// What some reader further on might decode must not turn into another host either.
function isOwnPath(value: string): boolean {
  const [path = ""] = value.split(/[?#]/, 1)
  return !path.startsWith("//") && !/%2f|%5c/i.test(path)
}
