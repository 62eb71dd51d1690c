/** The languages of the content. */
export const locales = {
  textIn: "Text in",
  language: "Language of the texts",
  textsIn: (name: string) => `Language of the texts: ${name}`,
  complete: "Complete in all languages",
  missing: (names: readonly string[]) => `Missing: ${names.join(", ")}`,
  incomplete: "Texts are missing",
}
