import { byClock } from "./clocked-date.ts"

/** The same object; whatever is called on it, or on what it leads to, runs by this clock. */
export function followingClock<Api extends object>(now: () => Date, api: Api): Api {
  return new Proxy(api, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === "function") return (...args: unknown[]) => byClock(now, () => value.apply(target, args))
      return typeof value === "object" && value !== null ? followingClock(now, value) : value
    },
  })
}
