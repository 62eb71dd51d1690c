import { isObject, type SettingType } from "./settings/setting.ts"

const RATE_NAMES: ReadonlySet<string> = new Set(["perUser", "perAddress", "signIn", "wrongPasswords"])
// Matches origins whose scheme is neither http nor https, such as capacitor://localhost. Apps on phones and desktops
// use such schemes.
const OTHER_ORIGIN = /^(?!https?:)[a-z][a-z\d+.-]*:\/\/[a-z\d.-]+(?::\d{1,5})?$/

export const WEB_ADDRESS: SettingType = { type: "address", check: checkWebAddress }
export const ORIGINS: SettingType = { type: "list of origins", check: checkOrigins }
export const RATE_LIMITS: SettingType = { type: "object or `false`", check: checkRateLimits }

// Checks the app's public URL; if it is invalid, returns a description of a valid one.
function checkWebAddress(value: unknown): string | undefined {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined
  const isWeb = url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
  return isWeb ? undefined : 'an address such as "https://app.example.com"'
}

// Checks a list of origins; if an origin is invalid, returns a message that describes a valid list and names the first
// invalid origin.
function checkOrigins(value: unknown): string | undefined {
  const expected =
    'a list of exact origins such as ["https://app.example.com"], without wildcard, path or slash at the end'
  if (!Array.isArray(value)) return expected
  const wrong = value.findIndex((origin) => !isOrigin(origin))
  return wrong < 0 ? undefined : `${expected}; ${JSON.stringify(value[wrong])} is none`
}

// True for an origin exactly as browsers send it: lower case, no default port, nothing after the host. An origin that
// is written differently would never match.
function isOrigin(value: unknown): boolean {
  if (typeof value !== "string" || value.includes("*")) return false
  return OTHER_ORIGIN.test(value) || (checkWebAddress(value) === undefined && new URL(value).origin === value)
}

// Checks the rate limits; if they are invalid, returns a description of valid ones.
function checkRateLimits(value: unknown): string | undefined {
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
  // The cast is safe: `isObject` has established that the value is an object, and the members are checked below.
  const { requests, windowSeconds } = value as { requests?: unknown; windowSeconds?: unknown }
  return [requests, windowSeconds].every((number) => Number.isInteger(number) && Number(number) >= 1)
}
