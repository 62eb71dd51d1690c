/**
 * The code that a person loads, in KB of gzip without fonts. `npm run check console-size` compares it with the build.
 *
 * @typedef {object} Visit
 * @property {string} name
 * @property {string[]} modules  the modules that load besides those of the page: those of a screen, and those that it imports later.
 *   Everything that they import statically counts, too.
 * @property {string} [over]     the visit before it: only the code that it had not loaded counts
 * @property {number} maxKb
 */

/** @type {Visit[]} */
export const VISITS = [
  // The screen is a part of the entry, and so is the code of the stream and of the sign-in.
  { name: "sign-in", modules: [], maxKb: 100 },
  {
    name: "first list",
    // The list is a part of the desk.
    modules: ["src/desk.tsx"],
    maxKb: 230,
  },
  { name: "record", modules: ["src/screens/record/record-screen.tsx"], over: "first list", maxKb: 45 },
  { name: "palette", modules: ["src/palette/palette.tsx"], over: "first list", maxKb: 25 },
  { name: "keys", modules: ["src/keys/keys-help.tsx"], over: "first list", maxKb: 25 },
  { name: "rich text", modules: ["src/fields/rich-text/rich-text-editor.tsx"], over: "record", maxKb: 75 },
  {
    name: "shared rich text",
    modules: ["src/fields/together/shared-rich-text.tsx"],
    over: "record",
    maxKb: 112,
  },
  { name: "a related record", modules: ["src/screens/record/drawer/record-drawer.tsx"], over: "record", maxKb: 25 },
  { name: "versions", modules: ["src/screens/record/versions/versions-drawer.tsx"], over: "record", maxKb: 25 },
  { name: "a new file", modules: ["src/screens/upload/upload-screen.tsx"], over: "record", maxKb: 25 },
  {
    name: "a later publication",
    modules: ["src/screens/record/actions/schedule-dialog.tsx"],
    over: "record",
    maxKb: 25,
  },
]

/** The limit for each module of this folder that no visit names, over the code of a visit. */
export const OTHER_SCREENS = { folder: "src/screens/", over: "first list", maxKb: 25 }

/** The limit for all code together. */
export const ALL_KB = 650
