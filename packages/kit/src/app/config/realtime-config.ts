import type { SettingChecks } from "./setting-check.ts"

/** The limits on live queries. */
export interface RealtimeConfig {
  /** How many topics one stream may have; 100 unless set. */
  readonly topicsPerConnection?: number
  /** How many streams one user may have open in one process; 20 unless set. */
  readonly connectionsPerUser?: number
  /** How many streams anonymous callers from one IP address may have open in one process; 100 unless set. */
  readonly connectionsPerAddress?: number
  /** How many distinct live queries one user may have in one process, over all streams; 2,000 unless set. */
  readonly queriesPerUser?: number
  /** How many distinct live queries anonymous callers from one IP address may have in one process; 1,000 unless set. */
  readonly queriesPerAddress?: number
  /**
   * How many bytes of snapshots one process keeps for later subscribers; 64 MB unless set. The same limit applies,
   * counted separately, to the bytes that wait for slow clients.
   */
  readonly snapshotBytes?: number
  /** How many of the `snapshotBytes` one user may use, or anonymous callers from one IP address; 16 MB unless set. */
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
