import type { Handle } from "../../wire/realtime/handle.ts"
import type { CollectionTypes } from "../../wire/typed/app-config.ts"
import type { CountOptionsOf } from "../../wire/typed/typed-operations.ts"
import { factsOf } from "./facts-of.ts"
import type { FindResult, IdleRead } from "./find-result.ts"
import type { ReadSettingsOf } from "./read-settings.ts"
import type { ReadSettings } from "./use-entry.ts"
import { useRead } from "./use-find.ts"

/**
 * Reads the number of records once. Options that are null read nothing. `useLive(articles.total, options)` follows it.
 *
 * const { data } = useCount(client.collections.articles, { where: { status: "done" } })
 */
export function useCount<Types extends CollectionTypes, Selected = number>(
  handle: Handle<"collection" | "total", Types>,
  options?: CountOptionsOf<Types>,
  settings?: ReadSettingsOf<number, Selected>,
): FindResult<Selected>
export function useCount<Types extends CollectionTypes, Selected = number>(
  handle: Handle<"collection" | "total", Types>,
  options: CountOptionsOf<Types> | null | undefined,
  settings?: ReadSettingsOf<number, Selected>,
): FindResult<Selected> | IdleRead
export function useCount(
  handle: Handle,
  options?: object | null,
  settings?: ReadSettings,
): FindResult<unknown> | IdleRead {
  const facts = factsOf(handle, "useCount")
  if (facts.kind !== "collection" && facts.kind !== "total") {
    throw new TypeError(`useCount counts the records of a collection; its first argument is a ${facts.kind}.`)
  }
  return useRead({ facts: { ...facts, kind: "total" }, options }, settings)
}
