export type { IdleResult, LiveResult } from "./react/reads/live-result.ts"
export { useLive } from "./react/reads/use-live.ts"
