import { AsyncLocalStorage } from "node:async_hooks"

type Now = () => Date

const clocks = new AsyncLocalStorage<Now>()
let system: DateConstructor | undefined

/** Runs work of an app, with all that it begins, by the clock of that app. */
export function byClock<Result>(now: Now, work: () => Result): Result {
  return clocks.run(now, work)
}

/** The time of this machine, whatever the clock of the app at work says. */
export function systemTimeMs(): number {
  return (system ?? Date).now()
}

/**
 * From now on `new Date()` and `Date.now()` follow the clock of the app that they are called in, in the author's code and
 * in libraries alike; elsewhere they are what they were. Called when a clock first leaves the system's time.
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
