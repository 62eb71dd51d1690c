import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { RichTextNode, RichTextVocabulary } from "../../wire/results/rich-text.ts"
import type { PartProblem } from "../compile/field-type.ts"

/** A node or mark of a rich text whose name is not in the vocabulary. */
export interface ForeignName {
  readonly kind: "node" | "mark"
  readonly name: string
  /** The path of the node or mark within the rich text, such as "content.0.marks.1". */
  readonly path: string
}

// An answer names only some of them, because each of thousands of nodes may be a mistake.
const MAX_PROBLEMS = 20

/** Yields the nodes and marks whose names are not in the vocabulary, in the order of the text. */
export function* foreignNames(
  { type, marks = [], content = [] }: RichTextNode,
  vocabulary: RichTextVocabulary,
  place = "",
): Generator<ForeignName> {
  if (!vocabulary.nodes.includes(type)) yield { kind: "node", name: type, path: place }
  for (const [index, { type: name }] of marks.entries()) {
    if (!vocabulary.marks.includes(name)) yield { kind: "mark", name, path: within(place, `marks.${index}`) }
  }
  for (const [index, node] of content.entries()) {
    yield* foreignNames(node, vocabulary, within(place, `content.${index}`))
  }
}

/** Returns the problems with the names of a rich text, by path. */
export function findNameProblems(document: RichTextNode, vocabulary: RichTextVocabulary): readonly PartProblem[] {
  const problems: PartProblem[] = []
  for (const { kind, name, path } of foreignNames(document, vocabulary)) {
    if (problems.length === MAX_PROBLEMS) break
    problems.push({ path, problem: unknownName(kind, name, vocabulary) })
  }
  return problems
}

/** Returns the sentence about a name that a rich text may not have. */
export function unknownName(kind: ForeignName["kind"], name: string, vocabulary: RichTextVocabulary): string {
  const known = kind === "node" ? vocabulary.nodes : vocabulary.marks
  const suggestion = didYouMean(name, known)
  return `There is no ${kind} "${name}" in the vocabulary of this field.${suggestion || ` It has: ${known.join(", ")}.`}`
}

function within(place: string, step: string): string {
  return place === "" ? step : `${place}.${step}`
}
