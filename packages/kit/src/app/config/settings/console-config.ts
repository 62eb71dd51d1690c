import type { CallerRule } from "../../../http/protection/caller-rule.ts"

/** The console of an app; `false` if it has none. */
export type ConsoleConfig = false | ConsoleSettings

interface ConsoleSettings {
  /**
   * The path of the console; `/admin` unless set. Inside a host framework the console is at this path only if it is set.
   * It is always at `/_kit/console/` below the base path, too.
   */
  readonly path?: string
  /** The rule for opening the console; users with the role `admin` unless set. Never a caller with an API key. */
  readonly access?: CallerRule
  /** The pages that the console may show beside a record. */
  readonly preview?: { readonly origins?: readonly string[] }
  /** The name and the color of the console. */
  readonly brand?: {
    /** The name of the app unless set. */
    readonly name?: string
    /** The color of selection, focus and links, such as `#2453d6`. */
    readonly accent?: string
  }
}
