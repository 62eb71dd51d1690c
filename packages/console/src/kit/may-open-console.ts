import type { AppIndex } from "kit/client"

/** Returns whether the rule `console.access` lets the person in. An older server does not say, and keeps nobody out. */
export function mayOpenConsole(index: AppIndex & { readonly console?: boolean }): boolean {
  return index.console !== false
}
