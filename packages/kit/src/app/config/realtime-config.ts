import type { SettingChecks } from "./setting-check.ts"

/** Bounds of live queries. */
export interface RealtimeConfig {
  /** How many topics one connection may have; 100 unless set. */
  readonly topicsPerConnection?: number
  /** How many connections one user may have open with one process; 20 unless set. */
  readonly connectionsPerUser?: number
  /** The same for all callers of one address who are not signed in; 100 unless set. */
  readonly connectionsPerAddress?: number
  /** How many distinct live queries one user may have in one process, over all connections; 2,000 unless set. */
  readonly queriesPerUser?: number
  /** The same for all callers of one address who are not signed in; 1,000 unless set. */
  readonly queriesPerAddress?: number
  /**
   * How many bytes of snapshots one process keeps for later subscribers and, counted apart, how many bytes may wait for
   * slow clients; 64 MB unless set.
   */
  readonly snapshotBytes?: number
  /** The share of one user, or of one address for callers who are not signed in; 16 MB unless set. */
  readonly snapshotBytesPerCaller?: number
}

const MAX_COUNT = 1_000_000

export const REALTIME_SETTINGS: SettingChecks = {
  topicsPerConnection: checkCount,
  connectionsPerUser: checkCount,
  connectionsPerAddress: checkCount,
  queriesPerUser: checkCount,
  queriesPerAddress: checkCount,
  snapshotBytes: checkByteCount,
  snapshotBytesPerCaller: checkByteCount,
}

function checkCount(value: unknown): string | undefined {
  const isValid = Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_COUNT
  return isValid ? undefined : `a whole number from 1 to ${MAX_COUNT}`
}

function checkByteCount(value: unknown): string | undefined {
  const isValid = Number.isSafeInteger(value) && Number(value) >= 0
  return isValid ? undefined : "a whole number of bytes from 0 on"
}
