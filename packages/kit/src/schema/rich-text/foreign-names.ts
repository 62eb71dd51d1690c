import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { RichTextVocabulary } from "../../wire/results/rich-text.ts"
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

/**
 * Yields the nodes and marks whose names are not in the vocabulary, in the order of the text. What is no node or mark,
 * which only SQL can have stored, is passed over.
 */
export function* foreignNames(node: unknown, vocabulary: RichTextVocabulary, place = ""): Generator<ForeignName> {
  const { type, marks, content } = partsOf(node)
  if (typeof type === "string" && !vocabulary.nodes.includes(type)) yield { kind: "node", name: type, path: place }
  for (const [index, mark] of listOf(marks).entries()) {
    const { type: name } = partsOf(mark)
    const path = within(place, `marks.${index}`)
    if (typeof name === "string" && !vocabulary.marks.includes(name)) yield { kind: "mark", name, path }
  }
  for (const [index, child] of listOf(content).entries()) {
    yield* foreignNames(child, vocabulary, within(place, `content.${index}`))
  }
}

function partsOf(part: unknown): { readonly type?: unknown; readonly marks?: unknown; readonly content?: unknown } {
  return Object(part)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the problems with the names of a rich text, by path. */
export function findNameProblems(document: unknown, vocabulary: RichTextVocabulary): readonly PartProblem[] {
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
