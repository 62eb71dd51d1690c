import { quoteText } from "../../text/literal.ts"
import { LETTERS } from "../query/fold-word.ts"

// The characters between the words of a title.
const SEPARATORS = " \t\n-‐–—_/|.,:;!?()[]{}<>\"'’‘“”„‟«»‹›@#&*"

/** Returns the text in lower case and without accents. */
export function foldText(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
  return [...plain].map((letter) => LETTERS[letter] ?? letter).join("")
}

/** Returns the words of a text. */
export function splitWords(text: string): readonly string[] {
  const spaced = [...text].map((letter) => (SEPARATORS.includes(letter) ? " " : letter)).join("")
  return spaced.split(" ").filter((word) => word !== "")
}

/** Returns the SQL of `foldText` for the SQL of a text. */
export function foldedSql(text: string): string {
  // A text of ASCII has as many bytes as characters.
  const isPlain = `octet_length(${text}) = char_length(${text})`
  return `case when ${isPlain} then lower(${text}) else ${unaccentedSql(text)} end`
}

/** Returns the SQL of a text with a space in the place of each separator of words, and one more at its beginning. */
export function spacedSql(text: string): string {
  return `' ' || translate(${text}, ${quoteText(SEPARATORS)}, repeat(' ', ${[...SEPARATORS].length}))`
}

const letters = Object.entries(LETTERS)
const single = letters.filter(([, plain]) => plain.length === 1)
const double = letters.filter(([, plain]) => plain.length > 1)

function unaccentedSql(text: string): string {
  const lower = `lower(regexp_replace(normalize(${text}, NFKD), '[\\u0300-\\u036f]', '', 'g'))`
  const [from, to] = [0, 1].map((at) => quoteText(single.map((pair) => pair[at]).join("")))
  return double.reduce(
    (sql, [letter, plain]) => `replace(${sql}, '${letter}', '${plain}')`,
    `translate(${lower}, ${from}, ${to})`,
  )
}
