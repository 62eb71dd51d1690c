import { hashedName, isHashedName } from "../values/mark-names.ts"
import type { RichTextMark } from "../values/rich-text-node.ts"
import type { HeldMark, MarkedText, TreeNode } from "./node-tree.ts"

/** Returns the formats, by their keys, that give a piece of text its marks. */
export type FormatsOf = (run: MarkedText) => Record<string, unknown>

/**
 * Returns how marks become formats. The key of a format is the type of the mark. If a text can have several marks of
 * this type, the key ends with a hash. Only the schema of the editor knows which types these are; here, they are those
 * that have such keys in the document, or that the value has twice at the same place.
 */
export function formatsOf(document: readonly TreeNode[], value: readonly TreeNode[]): FormatsOf {
  const hashed = new Map([...runsOf(document)].flatMap(hashedMarks))
  const types = [...hashed.values()].map(({ mark }) => mark.type)
  const overlapping = new Set([...types, ...[...runsOf(value)].flatMap(repeatedTypes)])
  const keyOf = (identity: string, mark: RichTextMark) =>
    overlapping.has(mark.type) ? (hashed.get(identity)?.key ?? hashedName(mark)) : mark.type
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

function hashedMarks({ marks }: MarkedText): [identity: string, held: HeldMark][] {
  return [...marks].filter(([, { key }]) => key !== undefined && isHashedName(key))
}

function repeatedTypes({ marks }: MarkedText): string[] {
  const types = [...marks.values()].map(({ mark }: HeldMark) => mark.type)
  return types.filter((type, place) => types.indexOf(type) < place)
}
