import { runOnClock } from "./clocked-date.ts"

/** Wraps an API object: every function called on it, or on an object nested in it, runs on this clock. */
export function wrapWithClock<Api extends object>(now: () => Date, api: Api): Api {
  return new Proxy(api, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === "function") return (...args: unknown[]) => runOnClock(now, () => value.apply(target, args))
      return typeof value === "object" && value !== null ? wrapWithClock(now, value) : value
    },
  })
}
