import type { Plugin } from "vite"

const TEXTS = /\/node_modules\/(@react-aria|react-aria|react-stately|react-aria-components)\/.*\/intl\/(?:.*\/)?([a-z]{2}-[A-Z]{2})\.m?js$/

/**
 * Leaves out the texts that React Aria has in other languages than those of the console: of its thirty languages, they
 * are a quarter of the record screen.
 */
export function onlySpokenLanguages(spoken: readonly string[]): Plugin {
  return {
    name: "only-spoken-languages",
    load(id) {
      const language = TEXTS.exec(id)?.[2]
      return language === undefined || spoken.includes(language) ? null : "export default {}"
    },
  }
}
