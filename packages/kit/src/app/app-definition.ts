import type { SourcedDefinition } from "../schema/compile.ts"
import type { KitConfig } from "./config.ts"

/** What an app is made of, as read from its files. */
export interface AppDefinition {
  readonly resources: readonly SourcedDefinition[]
  readonly config: KitConfig
  /** The folder of the app: its embedded database and secret live in `.kit/` below it. */
  readonly root: string
  now?(): Date
  onProgress?(message: string): void
}
