import type { Words } from "../words.ts"

/** Jazyky obsahu. */
export const locales: Words["locales"] = {
  textIn: "Jazyky",
  language: "Jazyk textov",
  textsIn: (name) => `Jazyk textov: ${name}`,
  complete: "Vyplnené vo všetkých jazykoch",
  missing: (names) => `Chýba: ${names.join(", ")}`,
  incomplete: "Texty chýbajú",
}
