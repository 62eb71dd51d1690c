import { AppMistakesError } from "../definition/app-mistakes.ts"
import type { KitConfig } from "./config.ts"
import { readVariable } from "./environment.ts"

const DRAIN_MS = 1_500
const DATABASE_WAIT_MS = 60_000

/** Returns how long a server continues to serve after the signal to stop. */
export function chooseDrainMs({ server }: KitConfig): number {
  return server?.drainMs ?? parseMilliseconds("KIT_DRAIN_MS", readVariable("KIT_DRAIN_MS")) ?? DRAIN_MS
}

/** Returns how long a process that starts waits for a database that it cannot reach. */
export function chooseDatabaseWaitMs({ db }: KitConfig): number {
  return (
    db?.waitMs ?? parseMilliseconds("KIT_DATABASE_WAIT_MS", readVariable("KIT_DATABASE_WAIT_MS")) ?? DATABASE_WAIT_MS
  )
}

function parseMilliseconds(variable: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (/^\d{1,8}$/.test(given)) return Number(given)
  const message = `"${given}" is not a number of milliseconds. Write a whole number from 0, such as 5000.`
  throw new AppMistakesError([{ file: variable, message }])
}
