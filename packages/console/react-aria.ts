import type { Plugin } from "vite"

const TEXTS =
  /\/node_modules\/(react-aria|react-stately|react-aria-components)\/.*\/intl\/(?:.*\/)?([a-z]{2}-[A-Z]{2})\.m?js$/
const DIRECTION = /\/react-aria\/dist\/private\/i18n\/utils\.m?js$/
const ANNOUNCER = /\/react-aria\/dist\/private\/live-announcer\/LiveAnnouncer\.m?js$/

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

/**
 * Has React Aria's announcer empty its elements without markup. The policy of the page refuses every assignment to
 * `innerHTML`, also that of an empty text, and the error would take the whole page away.
 */
export function announcerWithoutMarkup(): Plugin {
  return {
    name: "announcer-without-markup",
    transform(code, id) {
      if (!ANNOUNCER.test(id)) return null
      const changed = code.replaceAll(".innerHTML = ''", ".replaceChildren()")
      if (changed === code || changed.includes("innerHTML")) {
        this.error("React Aria's announcer has changed: make sure that it sets no innerHTML, and change this plugin.")
      }
      return { code: changed, map: null }
    },
  }
}

/**
 * Has React Aria know the direction of a language by its list of languages. Asking the browser about the language takes
 * it 20 ms before the first row, measured in Chromium: it loads the data of all of them.
 */
export function directionByList(): Plugin {
  return {
    name: "direction-by-list",
    transform(code, id) {
      if (!DIRECTION.test(id)) return null
      const changed = code.replace("if (Intl.Locale)", "if (false)")
      if (changed === code) this.error("React Aria's check of the direction has changed: change or remove this plugin.")
      return { code: changed, map: null }
    },
  }
}
