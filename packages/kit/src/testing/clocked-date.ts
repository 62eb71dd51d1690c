import { AsyncLocalStorage } from "node:async_hooks"

type Now = () => Date

const clocks = new AsyncLocalStorage<Now>()
let systemDate: DateConstructor | undefined

/** Runs `work`, and every asynchronous operation that it starts, on the clock of an app. */
export function runOnClock<Result>(now: Now, work: () => Result): Result {
  return clocks.run(now, work)
}

/** The system time, even inside code that runs on the clock of an app. */
export function systemTimeMs(): number {
  return (systemDate ?? Date).now()
}

/**
 * Replaces the global `Date`, so that `new Date()` and `Date.now()` follow the clock of the app that calls them, in the
 * author's code and in libraries. Other code keeps the system time. Called when a clock first departs from it.
 */
export function installClockedDate(): void {
  if (systemDate !== undefined) return
  const Original = Date
  const now = () => clocks.getStore()?.().getTime() ?? Original.now()
  systemDate = Original
  globalThis.Date = new Proxy(Original, {
    construct: (target, given, asked) => Reflect.construct(target, given.length === 0 ? [now()] : given, asked),
    apply: () => new Original(now()).toString(),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  })
}

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
