import { AsyncLocalStorage } from "node:async_hooks"

type Now = () => Date

const clocks = new AsyncLocalStorage<Now>()
let systemDate: DateConstructor | undefined

/** Runs `work`, and every asynchronous operation that it starts, with the time of an app's clock. */
export function runOnClock<Result>(now: Now, work: () => Result): Result {
  return clocks.run(now, work)
}

/** Returns the system time, even in code that runs with the time of an app's clock. */
export function systemTimeMs(): number {
  return (systemDate ?? Date).now()
}

/**
 * Replaces the global `Date`. In code that runs with an app's clock, libraries included, `new Date()` and `Date.now()`
 * then return the clock's time. Other code gets the system time. Called when a clock first differs from the system
 * time.
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

/** Wraps an API object. Every function called on it, or on an object nested in it, runs with the time of this clock. */
export function wrapWithClock<Api extends object>(now: () => Date, api: Api): Api {
  return new Proxy(api, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === "function") return (...args: unknown[]) => runOnClock(now, () => value.apply(target, args))
      return typeof value === "object" && value !== null ? wrapWithClock(now, value) : value
    },
  })
}
