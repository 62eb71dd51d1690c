import { hashedName, isHashedName } from "../values/mark-names.ts"
import type { RichTextMark } from "../values/read-rich-text.ts"
import type { HeldMark, MarkedText, TreeNode } from "./node-tree.ts"

/** Returns the formats, by their keys, that give a piece of text its marks. */
export type FormatsOf = (run: MarkedText) => Record<string, unknown>

/**
 * Returns how marks become formats. The key of a format is the type of the mark. If a text can have several marks of
 * this type, the key ends with a hash. Only the schema of the editor knows which types these are; here, they are those
 * that have such keys in the document, or that the value has twice at the same place.
 */
export function formatsOf(document: readonly TreeNode[], value: readonly TreeNode[]): FormatsOf {
  const hashedKeys = new Map<string, string>()
  const overlapping = new Set<string>()
  for (const run of runsOf(document)) {
    for (const [identity, { mark, key }] of run.marks) {
      if (key === undefined || !isHashedName(key)) continue
      hashedKeys.set(identity, key)
      overlapping.add(mark.type)
    }
  }
  for (const run of runsOf(value)) for (const type of repeatedTypes(run)) overlapping.add(type)
  const keyOf = (identity: string, mark: RichTextMark) =>
    overlapping.has(mark.type) ? (hashedKeys.get(identity) ?? hashedName(mark)) : mark.type
  return ({ marks }) =>
    Object.fromEntries([...marks].map(([identity, { mark }]) => [keyOf(identity, mark), mark.attrs ?? {}]))
}

/** Returns the formats that a piece of text in a document has. */
export function heldFormats({ marks }: MarkedText): Record<string, unknown> {
  return Object.fromEntries([...marks.values()].map(({ mark, key = mark.type }) => [key, mark.attrs ?? {}]))
}

function* runsOf(nodes: readonly TreeNode[]): Generator<MarkedText> {
  for (const node of nodes) {
    if (node.kind === "text") yield* node.runs
    else yield* runsOf(node.children)
  }
}

function repeatedTypes({ marks }: MarkedText): string[] {
  const types = [...marks.values()].map(({ mark }: HeldMark) => mark.type)
  return types.filter((type, place) => types.indexOf(type) < place)
}
