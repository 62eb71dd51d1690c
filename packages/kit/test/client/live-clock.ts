import { vi } from "vitest"

/** Timers that advance only when the test says so; sockets work as usual. */
export function playedClock() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })
  const played = globalThis.setTimeout
  const delays: unknown[] = []
  // Not a spy: spies are restored after the test, and the real timers would be lost.
  Reflect.set(globalThis, "setTimeout", (...args: Parameters<typeof setTimeout>) => {
    delays.push(args[1])
    return played(...args)
  })
  const taken = new Map<number, number>()
  const timersOf = (ms: number) => delays.filter((delay) => delay === ms).length
  const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  const started = async (ms: number) => {
    while (timersOf(ms) <= (taken.get(ms) ?? 0)) await turn()
    taken.set(ms, timersOf(ms))
  }
  return {
    /** Waits until the code starts a timer of this length; timers before the last call do not count. */
    started,
    /** Waits until the code starts a timer of this length, and lets that time pass. */
    async pass(ms: number): Promise<void> {
      await started(ms)
      await advance(ms)
    },
    /** Lets the time pass for all timers. */
    advance,
    [Symbol.dispose]: () => {
      globalThis.setTimeout = played
      vi.useRealTimers()
    },
  }
}

/** One turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
