import { AsyncLocalStorage } from "node:async_hooks"

type Now = () => Date

const clocks = new AsyncLocalStorage<Now>()
let system: DateConstructor | undefined

/** Runs `work`, and every asynchronous operation that it starts, on the clock of an app. */
export function byClock<Result>(now: Now, work: () => Result): Result {
  return clocks.run(now, work)
}

/** The system time, even inside code that runs on the clock of an app. */
export function systemTimeMs(): number {
  return (system ?? Date).now()
}

/**
 * Replaces the global `Date`, so that `new Date()` and `Date.now()` follow the clock of the app that calls them, in the
 * author's code and in libraries. Other code keeps the system time. Called when a clock first departs from it.
 */
export function letDatesFollowClocks(): void {
  if (system !== undefined) return
  const Original = Date
  const now = () => clocks.getStore()?.().getTime() ?? Original.now()
  system = Original
  globalThis.Date = new Proxy(Original, {
    construct: (target, given, asked) => Reflect.construct(target, given.length === 0 ? [now()] : given, asked),
    apply: () => new Original(now()).toString(),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  })
}
