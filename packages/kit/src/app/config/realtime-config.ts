import type { SettingGroup } from "./settings/setting.ts"
import { BYTES, countUpTo } from "./settings/setting-types.ts"

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

const LIMIT = countUpTo(MAX_COUNT)

export const REALTIME_SETTINGS: SettingGroup = {
  topicsPerConnection: {
    ...LIMIT,
    default: "100",
    purpose: "topics of one stream; see [live queries](http.md#live-queries)",
  },
  connectionsPerUser: { ...LIMIT, default: "20", purpose: "open streams of one user in one process" },
  connectionsPerAddress: {
    ...LIMIT,
    default: "100",
    purpose: "open streams of callers from one address who are not signed in, in one process",
  },
  queriesPerUser: { ...LIMIT, default: "2 000", purpose: "different live queries of one user in one process" },
  queriesPerAddress: {
    ...LIMIT,
    default: "1 000",
    purpose: "different live queries of callers from one address who are not signed in, in one process",
  },
  snapshotBytes: {
    ...BYTES,
    default: "64 MiB",
    purpose:
      "snapshots that one process keeps for later subscribers; the same limit applies to the bytes that wait for slow clients",
  },
  snapshotBytesPerCaller: { ...BYTES, default: "16 MiB", purpose: "the part of them that one caller may use" },
}
