/**
 * The code that a person loads, in KB of gzip without fonts. `npm run check console-size` compares it with the build.
 *
 * @typedef {object} Visit
 * @property {string} name
 * @property {string[]} modules  the modules that load besides the entry: those of a screen, and those that it imports later.
 *   Everything that they import statically counts, too.
 * @property {string} [over]     the visit before it: only the code that it had not loaded counts
 * @property {number} maxKb
 */

/** @type {Visit[]} */
export const VISITS = [
  {
    name: "sign-in",
    // The screen is a part of the entry.
    modules: ["../kit/src/client/resources/auth.ts"],
    maxKb: 100,
  },
]

/** The limit for each module of this folder that no visit names, over the code of a visit. */
export const OTHER_SCREENS = { folder: "src/screens/", over: "sign-in", maxKb: 25 }

/** The limit for all code together. */
export const ALL_KB = 650
