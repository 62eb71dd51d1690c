import type { RichTextVocabulary } from "../../wire/results/rich-text.ts"

/** The names that a rich text may have. A list that is left out is that of the default vocabulary. */
export interface VocabularyOptions {
  /** The names of nodes, besides `doc` and `text`, which every rich text has. */
  readonly nodes?: readonly string[] | undefined
  readonly marks?: readonly string[] | undefined
}

/**
 * The vocabulary of a rich text field without options: the names of ProseMirror's own packages for basic texts, lists
 * and tables, and `strike`.
 *
 * f.richText({ nodes: [...richTextVocabulary.nodes, "callout"] })
 */
export const richTextVocabulary: RichTextVocabulary = frozen({
  nodes: [
    "doc",
    "text",
    "paragraph",
    "heading",
    "blockquote",
    "bullet_list",
    "ordered_list",
    "list_item",
    "code_block",
    "horizontal_rule",
    "image",
    "table",
    "table_row",
    "table_cell",
    "table_header",
    "hard_break",
  ],
  marks: ["strong", "em", "code", "link", "strike"],
})

const NEEDED_NODES = ["doc", "text"]
// The characters of names in ProseMirror's content expressions, and the hyphens of other editors. The key of a mark in a
// shared document may end with two hyphens and a hash.
const NAME = /^\w+(-\w+)*$/

/** Returns the vocabulary that these options declare. */
export function vocabularyOf({ nodes, marks }: VocabularyOptions): RichTextVocabulary {
  if (nodes === undefined && marks === undefined) return richTextVocabulary
  return frozen({
    nodes: [...new Set([...NEEDED_NODES, ...(nodes ?? richTextVocabulary.nodes)])],
    marks: [...new Set(marks ?? richTextVocabulary.marks)],
  })
}

/** Returns the mistakes in the options of a rich text field, as sentences for the author. */
export function findVocabularyMistakes({ nodes, marks }: VocabularyOptions): readonly string[] {
  return Object.entries({ nodes, marks }).flatMap(([option, names]) => {
    if (names === undefined) return []
    if (!Array.isArray(names))
      return [`has ${option} that are not a list of names. Write f.richText({ ${option}: [] }).`]
    const wrong = names.find((name) => typeof name !== "string" || !NAME.test(name))
    if (wrong === undefined) return []
    return [`has ${option} with the name ${JSON.stringify(wrong)}. A name consists of letters, digits, "_" and "-".`]
  })
}

function frozen({ nodes, marks }: RichTextVocabulary): RichTextVocabulary {
  return Object.freeze({ nodes: Object.freeze([...nodes]), marks: Object.freeze([...marks]) })
}
