import { isObject } from "./setting-check.ts"

const RATE_NAMES: ReadonlySet<string> = new Set(["perUser", "perAddress", "signIn", "wrongPasswords"])
// Apps on phones and desktops have schemes of their own, such as capacitor://localhost.
const OTHER_ORIGIN = /^(?!https?:)[a-z][a-z\d+.-]*:\/\/[a-z\d.-]+(?::\d{1,5})?$/

/** What is expected of the app's own address, if it is not that. */
export function isWebAddress(value: unknown): string | undefined {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
  return isWeb ? undefined : 'an address such as "https://app.example.com"'
}

/** What is expected of a list of origins, naming the first that is none. */
export function isOrigins(value: unknown): string | undefined {
  const expected =
    'a list of exact origins such as ["https://app.example.com"], without wildcard, path or slash at the end'
  if (!Array.isArray(value)) return expected
  const wrong = value.findIndex((origin) => !isOrigin(origin))
  return wrong < 0 ? undefined : `${expected}; ${JSON.stringify(value[wrong])} is none`
}

// The browser's own spelling: lower case, no default port, nothing after the host. Others would never be met.
function isOrigin(value: unknown): boolean {
  if (typeof value !== "string" || value.includes("*")) return false
  return OTHER_ORIGIN.test(value) || (isWebAddress(value) === undefined && new URL(value).origin === value)
}

/** What is expected of the limits by caller, if they are not that. */
export function isRate(value: unknown): string | undefined {
  const isValid =
    value === false ||
    (isObject(value) && Object.entries(value).every(([name, limit]) => RATE_NAMES.has(name) && isLimit(limit)))
  return isValid
    ? undefined
    : "false, or an object with perUser, perAddress, signIn and wrongPasswords, each { requests: 100, windowSeconds: 60 }"
}

function isLimit(value: unknown): boolean {
  if (value === undefined) return true
  if (!isObject(value) || Object.keys(value).length !== 2) return false
  // Narrowed to an object; what it has is looked at here.
  const { requests, windowSeconds } = value as { requests?: unknown; windowSeconds?: unknown }
  return [requests, windowSeconds].every((number) => Number.isInteger(number) && Number(number) >= 1)
}
