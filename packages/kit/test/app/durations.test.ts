import { afterEach, expect, test, vi } from "vitest"
import { chooseDatabaseWaitMs, chooseDrainMs } from "../../src/app/config/durations.ts"

afterEach(() => vi.unstubAllEnvs())

test.each([
  ["server.drainMs", "KIT_DRAIN_MS", () => chooseDrainMs({ server: { drainMs: 7 } }), () => chooseDrainMs({}), 1_500],
  [
    "db.waitMs",
    "KIT_DATABASE_WAIT_MS",
    () => chooseDatabaseWaitMs({ db: { waitMs: 7 } }),
    () => chooseDatabaseWaitMs({}),
    60_000,
  ],
])("%s takes precedence over %s", (_setting, variable, configured, unconfigured, usual) => {
  vi.stubEnv(variable, "")
  expect(unconfigured()).toBe(usual)

  vi.stubEnv(variable, "250")

  expect(unconfigured()).toBe(250)
  expect(configured()).toBe(7)
})

test.each(["soon", "-1", "1.5", "5s", "1e3"])("a duration of %j in the environment is refused", (given) => {
  vi.stubEnv("KIT_DRAIN_MS", given)

  const choose = () => chooseDrainMs({})

  expect(choose).toThrow(
    `KIT_DRAIN_MS: "${given}" is not a number of milliseconds. Write a whole number from 0, such as 5000.`,
  )
})
