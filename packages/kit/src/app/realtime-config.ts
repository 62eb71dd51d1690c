import type { SettingChecks } from "./setting-check.ts"

/** Bounds of live queries. */
export interface RealtimeConfig {
  /** How many topics one connection may have; 100 unless set. */
  readonly topicsPerConnection?: number
  /** How many connections one user may have open with one process; 20 unless set. */
  readonly connectionsPerUser?: number
  /** The same for all who are not signed in and come from one address; 200 unless set. */
  readonly connectionsPerAddress?: number
}

const MAX_COUNT = 1_000_000

export const REALTIME_SETTINGS: SettingChecks = {
  topicsPerConnection: isCount,
  connectionsPerUser: isCount,
  connectionsPerAddress: isCount,
}

function isCount(value: unknown): string | undefined {
  const isValid = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_COUNT
  return isValid ? undefined : `a whole number from 1 to ${MAX_COUNT}`
}
