import { RATE_LIMITS } from "../protection-settings.ts"
import type { SettingGroup } from "./setting.ts"
import { COUNT, COUNT_OR_ZERO, SHARE } from "./setting-types.ts"

export const LIMIT_SETTINGS: SettingGroup = {
  bodyBytes: { ...COUNT, default: "1 MiB", purpose: "the longest body of a request" },
  bulkBodyBytes: {
    ...COUNT,
    default: "4 MiB",
    purpose:
      "the longest body for the paths that take many records; callers who are not signed in have `limits.bodyBytes` there too",
  },
  rawBodyBytes: { ...COUNT, default: "16 MiB", purpose: "the longest body of a raw route" },
  largeBodies: {
    ...COUNT,
    default: "2",
    purpose: "how many bodies of more than 256 KiB are processed at the same time per caller",
  },
  answerBytes: {
    ...COUNT,
    default: "10 MiB",
    purpose: "the longest answer to a read of records; see [long answers](http.md#long-answers)",
  },
  filter: {
    hopsPerPath: {
      ...COUNT_OR_ZERO,
      default: "4",
      purpose:
        "relations that a filter of a caller may follow in a row; see [its cost](http.md#what-a-filter-may-cost)",
    },
    toManyHopsPerPath: { ...COUNT_OR_ZERO, default: "2", purpose: "to-many relations among them" },
    hopsPerRequest: { ...COUNT_OR_ZERO, default: "10", purpose: "relations in all filters of a request" },
    comparisonsPerRequest: { ...COUNT_OR_ZERO, default: "200", purpose: "comparisons in all filters of a request" },
  },
  passwords: {
    atOnce: {
      ...COUNT,
      default: "1 or 2, by the number of cores",
      purpose: "passwords that are hashed at the same time",
    },
    waiting: { ...COUNT, default: "200", purpose: "requests that may wait to hash a password" },
    waitingPerCaller: { ...COUNT, default: "50", purpose: "such requests of one caller" },
  },
  rate: {
    ...RATE_LIMITS,
    default: "`signIn`: 10 in 60 s, `wrongPasswords`: 20 in an hour",
    purpose:
      "`{ perUser, perAddress, signIn, wrongPasswords }`, each `{ requests, windowSeconds }`; `false` turns off [every rate limit](http.md#rates)",
  },
  trustedProxies: {
    ...COUNT_OR_ZERO,
    default: "0",
    purpose: "how many proxies add the caller's address to `X-Forwarded-For`",
  },
  statementMs: {
    ...COUNT,
    default: "10 000",
    purpose: "after this time a statement of a caller is cancelled, and the request gets 503",
  },
  searchMs: {
    ...COUNT,
    default: "3 000",
    purpose: "the same for a statement of a [search](search.md#what-a-search-may-cost)",
  },
  lockMs: {
    ...COUNT,
    default: "3 000",
    purpose: "how long a statement of a caller waits for a lock that another transaction holds; then 503",
  },
  poolShare: {
    ...SHARE,
    default: "0.5",
    purpose:
      "the share of the [database connections](databases.md#many-callers) that one caller may hold while others wait",
  },
}
