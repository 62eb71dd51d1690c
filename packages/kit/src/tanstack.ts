export type {} from "./wire/realtime/handle.ts"
