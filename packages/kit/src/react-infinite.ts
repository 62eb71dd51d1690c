export type { IdleList, InfiniteOptionsOf, InfiniteResult } from "./react/infinite/infinite-types.ts"
export { useInfinite } from "./react/infinite/use-infinite.ts"
