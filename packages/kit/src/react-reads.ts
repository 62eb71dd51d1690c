export { useAggregate, useLiveAggregate } from "./react/operations/use-aggregate.ts"
export { useRead } from "./react/operations/use-read.ts"
export { useSearch } from "./react/operations/use-search.ts"
