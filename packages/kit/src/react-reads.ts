export { useRead } from "./react/operations/use-read.ts"
export { useSearch } from "./react/operations/use-search.ts"
