import { expect, test } from "vitest"
import { RateLimiter } from "../../src/http/protection/rate-limiter.ts"

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)

test("a million keys are not remembered, and one in use is not forgotten", () => {
  const limiter = new RateLimiter({ requests: 1_000_000, windowSeconds: 60 }, 1000)
  const busy = new RateLimiter({ requests: 3, windowSeconds: 1_000_000 }, 1000)

  for (let index = 0; index < 100_000; index++) limiter.use(`address ${index}`, at(0))
  for (let index = 0; index < 3; index++) {
    for (let other = 0; other < 400; other++) busy.use(`address ${index} ${other}`, at(0))
    busy.use("eva", at(0))
  }

  expect(limiter.size).toBeLessThanOrEqual(1000)
  expect(busy.size).toBeLessThanOrEqual(1000)
  expect(busy.use("eva", at(0))).toMatchObject({ limit: 3 })
})

test("uses are given back evenly, and what is over the limit costs nothing", () => {
  const limiter = new RateLimiter({ requests: 3, windowSeconds: 10 })
  const use = (seconds: number) => limiter.use("eva", at(seconds)) === undefined

  const atOnce = [use(0), use(0), use(0), use(0), use(0), use(0)]
  const afterThird = [use(3.33), use(3.34), use(3.34)]
  const afterAll = [use(20), use(20), use(20), use(20)]

  expect(atOnce).toEqual([true, true, true, false, false, false])
  expect(afterThird).toEqual([false, true, false])
  expect(afterAll).toEqual([true, true, true, false])
})

test("whoever waits as long as told is let through", () => {
  for (const limit of [
    { requests: 7, windowSeconds: 60 },
    { requests: 1, windowSeconds: 1 },
    { requests: 1000, windowSeconds: 3 },
    { requests: 3, windowSeconds: 86_400 },
  ]) {
    const limiter = new RateLimiter(limit)
    for (let index = 0; index < limit.requests; index++) expect(limiter.use("eva", at(0))).toBeUndefined()
    const excess = limiter.use("eva", at(0))

    expect(excess).toMatchObject({ resetSeconds: limit.windowSeconds })
    expect(limiter.use("eva", at(excess?.retryAfterSeconds ?? 0))).toBeUndefined()
  }
})

test("a clock that is set back locks nobody out for longer than the window", () => {
  const limiter = new RateLimiter({ requests: 1, windowSeconds: 10 })
  limiter.use("eva", at(3600))

  expect(limiter.use("eva", at(0))).toMatchObject({ retryAfterSeconds: 10 })
})
