import type { HANDLE, Handle } from "../wire/realtime/handle.ts"
import type { ClientParts } from "./client-parts.ts"

/** The facts of a handle at run time, which `kit/react` and `kit/tanstack` read. */
export type HandleFacts = Handle[typeof HANDLE] & {
  /** The parts of the client to which the handle belongs. They also identify the client. */
  readonly parts: ClientParts
}
