import type { FieldReference } from "../../compile/resource.ts"

/**
 * The parts of a field's value that are relations, by the names that lead to them: of a block in a list of blocks, of a
 * member in an object or a block. A list that is not of blocks adds no name.
 */
export interface PartTree {
  /** The relation, if these names lead to one. It has no parts of its own. */
  readonly reference?: FieldReference
  readonly parts: ReadonlyMap<string, PartTree>
}

const known = new WeakMap<readonly FieldReference[], PartTree>()

/** Returns the tree of a field's references. */
export function partTreeOf({ references }: { readonly references: readonly FieldReference[] }): PartTree {
  const found =
    known.get(references) ?? makeTree(references.map((reference) => ({ names: namesTo(reference), reference })))
  known.set(references, found)
  return found
}

/** Returns the names that lead to the part of a value, such as `hero` and `image`. */
export function namesTo({ steps }: Pick<FieldReference, "steps">): readonly string[] {
  return steps.flatMap((step) => (step.kind === "member" ? [step.name] : (step.block ?? [])))
}

/** Returns the path of a relation inside of a field's value, by names, such as `body.hero.image`. */
export function partPath(field: string, reference: Pick<FieldReference, "steps">): string {
  return [field, ...namesTo(reference)].join(".")
}

interface Branch {
  readonly names: readonly string[]
  readonly reference: FieldReference
}

function makeTree(branches: readonly Branch[]): PartTree {
  const [only] = branches
  if (only?.names.length === 0) return { reference: only.reference, parts: new Map() }
  const firsts = new Set(branches.flatMap(({ names }) => names.slice(0, 1)))
  const parts = [...firsts].map((first): [string, PartTree] => {
    const behind = branches.filter(({ names }) => names[0] === first)
    return [first, makeTree(behind.map(({ names, reference }) => ({ names: names.slice(1), reference })))]
  })
  return { parts: new Map(parts) }
}
