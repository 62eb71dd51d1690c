export { type QueryOptionsSettings, queryOptions } from "./tanstack/query-options.ts"
export type { CursorPagesOptions, PagesOptions, ReadOptions, WriteOptions } from "./tanstack/typed/built-options.ts"
export type {
  AppQueryOptions,
  CollectionQueryOptions,
  GlobalQueryOptions,
} from "./tanstack/typed/typed-query-options.ts"
