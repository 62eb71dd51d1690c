import type { CallOptions } from "../../wire/options/call-options.ts"
import type { SearchResult } from "../../wire/results/search.ts"
import type { FoundBy, OptionsBy, SelectingSearchOptions, TypedSearch } from "../../wire/typed/typed-search.ts"
import type { FindResult, IdleRead } from "../reads/find-result.ts"
import type { ReadSettingsOf } from "../reads/read-settings.ts"
import { useRead } from "./use-read.ts"

/** The search of a client: `client.search`. */
type Searching<Searchable, Locale extends string> = TypedSearch<Searchable, Locale, [call?: CallOptions]>

/**
 * Searches once for each new input, and aborts the search before. The former results stay until the new ones are there.
 * Options that are null search nothing.
 *
 * const found = useSearch(client.search, text === "" ? null : { query: text, limit: 10 })
 */
export function useSearch<
  Searchable,
  Locale extends string,
  Name extends keyof Searchable & string = keyof Searchable & string,
  const With extends OptionsBy<Searchable, "with"> = never,
  const Columns extends OptionsBy<Searchable, "columns"> = never,
  Selected = SearchResult<FoundBy<Searchable, Name, With, Columns>>,
>(
  search: Searching<Searchable, Locale>,
  options: SelectingSearchOptions<Searchable, Name, NoInfer<Locale>, With, Columns>,
  settings?: ReadSettingsOf<SearchResult<FoundBy<Searchable, Name, With, Columns>>, Selected>,
): FindResult<Selected>
export function useSearch<
  Searchable,
  Locale extends string,
  Name extends keyof Searchable & string = keyof Searchable & string,
  const With extends OptionsBy<Searchable, "with"> = never,
  const Columns extends OptionsBy<Searchable, "columns"> = never,
  Selected = SearchResult<FoundBy<Searchable, Name, With, Columns>>,
>(
  search: Searching<Searchable, Locale>,
  options: SelectingSearchOptions<Searchable, Name, NoInfer<Locale>, With, Columns> | null,
  settings?: ReadSettingsOf<SearchResult<FoundBy<Searchable, Name, With, Columns>>, Selected>,
): FindResult<Selected> | IdleRead
export function useSearch<Options, Found, Selected = Found>(
  { search }: { search: (options: Options, call?: CallOptions) => Promise<Found> },
  options: Options | null,
  settings?: ReadSettingsOf<Found, Selected>,
): FindResult<Selected> | IdleRead {
  return useRead(search, options, settings)
}
