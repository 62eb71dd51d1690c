import { isObject, type SettingGroup, type SettingType } from "./settings/setting.ts"

export interface LogConfig {
  /**
   * The log line for each request: method, pattern of the path, status, duration, request id and user. `false` turns it
   * off; `{ sample: 0.1 }` writes it for a tenth of the requests, and for all requests with a status of 500 or more.
   */
  readonly requests?: boolean | { readonly sample: number }
}

const REQUESTS: SettingType = {
  type: "`true`, `false` or `{ sample }`",
  check: (value) =>
    typeof value === "boolean" || isSample(value)
      ? undefined
      : "true, false, or { sample: 0.1 } with a number above 0 and up to 1",
}

export const LOG_SETTINGS: SettingGroup = {
  requests: {
    ...REQUESTS,
    default: "`true`",
    purpose: "[a line for each request](guide.md#the-log), for none, or for a share of them: `{ sample: 0.1 }`",
  },
}

function isSample(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).join() !== "sample") return false
  const sample: unknown = Reflect.get(value, "sample")
  return typeof sample === "number" && sample > 0 && sample <= 1
}

/** Returns the share of requests that get a log line, from 0 to 1. */
export function requestSample({ requests = true }: LogConfig = {}): number {
  return typeof requests === "object" ? requests.sample : Number(requests)
}
