export type {} from "./react/store/layer.ts"
