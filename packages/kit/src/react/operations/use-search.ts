import type { CallOptions } from "../../wire/options/call-options.ts"
import type { FindResult, IdleRead } from "../reads/find-result.ts"
import type { ReadSettingsOf } from "../reads/read-settings.ts"
import { useRead } from "./use-read.ts"

/** The search of a client: `client.search`. */
interface Searching<Options, Found> {
  search: <_Options = never>(options: Options, call?: CallOptions) => Promise<Found>
}

/**
 * Searches once for each new input, and aborts the search before. The former results stay until the new ones are there.
 * Options that are null search nothing.
 *
 * const found = useSearch(client.search, text === "" ? null : { query: text, limit: 10 })
 */
export function useSearch<Options, Found, Selected = Found>(
  search: Searching<Options, Found>,
  options: NoInfer<Options>,
  settings?: ReadSettingsOf<Found, Selected>,
): FindResult<Selected>
export function useSearch<Options, Found, Selected = Found>(
  search: Searching<Options, Found>,
  options: NoInfer<Options> | null,
  settings?: ReadSettingsOf<Found, Selected>,
): FindResult<Selected> | IdleRead
export function useSearch<Options, Found, Selected = Found>(
  { search }: Searching<Options, Found>,
  options: Options | null,
  settings?: ReadSettingsOf<Found, Selected>,
): FindResult<Selected> | IdleRead {
  return useRead(search, options, settings)
}
