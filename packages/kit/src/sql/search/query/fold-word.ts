/** Letters that do not become plain ones by decomposition, as PostgreSQL's `unaccent` replaces them. */
export const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  þ: "th",
}

/** Returns the word in lower case and without accents. */
export function foldWord(word: string): string {
  const plain = word.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "")
  return plain.replace(/[ßæœøđðħıłþ]/gu, (letter) => LETTERS[letter] ?? letter)
}
