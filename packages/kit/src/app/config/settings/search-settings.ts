import type { Embedder } from "../../../ports/embedder.ts"
import type { SearchAdapter } from "../../../ports/search-adapter.ts"
import { hasFunctions, isObject, type SettingGroup, type SettingType } from "./setting.ts"
import { BYTES, FLAG } from "./setting-types.ts"

export interface SearchConfig {
  /**
   * The language of each locale's text, by which words are reduced to their stems: a language of PostgreSQL's full-text
   * search, or `simple` for none. Unless set, the language follows from the name of the locale.
   *
   * languages: { en: "english", sk: "simple" }
   */
  readonly languages?: Readonly<Record<string, string>>
  /** Words of queries that mean the same, by locale: `{ en: [["car", "automobile", "vehicle"]] }`. */
  readonly synonyms?: Readonly<Record<string, readonly (readonly string[])[]>>
  /** Words that queries ignore, by locale, besides those of the language. */
  readonly stopWords?: Readonly<Record<string, readonly string[]>>
  /** False if misspelled words should not be forgiven; true unless set. */
  readonly typos?: boolean
  /** Turns texts into vectors, for searches by meaning. Without it, only `lexical` searches are possible. */
  readonly embedder?: Embedder
  /**
   * The maximum memory for the vectors of all texts in one process, in bytes; 256 MiB unless set. With the extension
   * pgvector, the vectors stay in the database.
   */
  readonly vectorBytes?: number
  /** A search engine outside of the database, which finds records by their words in place of the built-in index. */
  readonly adapter?: SearchAdapter
}

const LANGUAGES: SettingType = {
  type: "object of texts",
  check: (value) =>
    isObject(value) && Object.values(value).every((language) => typeof language === "string")
      ? undefined
      : 'an object such as { en: "english" }',
}

const LISTS_OF_SYNONYMS: SettingType = {
  type: "object of lists of texts",
  check: (value) =>
    isObject(value) && Object.values(value).every((lists) => Array.isArray(lists) && lists.every(isListOfTexts))
      ? undefined
      : 'an object such as { en: [["car", "automobile"]] }',
}

const TEXTS_BY_LOCALE: SettingType = {
  type: "object of lists of texts",
  check: (value) =>
    isObject(value) && Object.values(value).every(isListOfTexts) ? undefined : 'an object such as { en: ["please"] }',
}

const EMBEDDER: SettingType = {
  type: "embedder",
  check: (value) =>
    hasFunctions(value, ["embed"]) ? undefined : "an embedder, such as openAiEmbedder({ url, model, dimensions })",
}

const ADAPTER: SettingType = {
  type: "adapter",
  check: (value) =>
    hasFunctions(value, ["index", "remove", "clear", "search"]) && hasName(value)
      ? undefined
      : "an adapter: an object with a name and the methods index, remove, clear and search",
}

export const SEARCH_SETTINGS: SettingGroup = {
  languages: {
    ...LANGUAGES,
    default: "by the name of the locale",
    purpose: "the language of each locale's text for full-text search",
  },
  synonyms: { ...LISTS_OF_SYNONYMS, default: "none", purpose: "words of queries that mean the same, by locale" },
  stopWords: { ...TEXTS_BY_LOCALE, default: "none", purpose: "words that queries ignore, by locale" },
  typos: { ...FLAG, default: "`true`", purpose: "`false` if misspelled words should not be forgiven" },
  embedder: { ...EMBEDDER, default: "none", purpose: "turns texts into vectors, for searches by meaning" },
  vectorBytes: {
    ...BYTES,
    default: "268,435,456",
    purpose: "the maximum memory for vectors in one process, where the database has no pgvector",
  },
  adapter: {
    ...ADAPTER,
    default: "none",
    purpose: "a search engine outside of the database, which finds records by their words",
  },
}

function hasName(value: unknown): boolean {
  const name: unknown = isObject(value) ? Reflect.get(value, "name") : undefined
  return typeof name === "string" && name !== ""
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === "string" && text !== "")
}
