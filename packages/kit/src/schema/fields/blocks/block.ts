import { findNameProblem } from "../../compile/names.ts"
import { inertCopy } from "../../presentation/inert-copy.ts"
import { type AuthorText, type BlockPresentation, PLAIN_BLOCK } from "../../presentation/presentation.ts"
import { isPlainObject } from "../json.ts"
import type { Members } from "../members/compile-members.ts"
import { findMemberMistakes } from "../members/member-mistakes.ts"
import type { DeclaredMembers, ObjectValue } from "../object.ts"

/**
 * A block with texts for the people who choose it, as an author declares it. It is immutable, and each method returns a
 * changed copy.
 */
export class Block<Declared extends DeclaredMembers = DeclaredMembers> {
  readonly members: Declared
  readonly presentation: BlockPresentation

  constructor(members: Declared, presentation: BlockPresentation = PLAIN_BLOCK) {
    this.members = members
    this.presentation = Object.freeze(presentation)
    Object.freeze(this)
  }

  /** Sets the name of the block for people. Without it, they see the block's name in words. */
  label(label: AuthorText): Block<Declared> {
    return new Block(this.members, { ...this.presentation, label: inertCopy(label) })
  }

  description(description: AuthorText): Block<Declared> {
    return new Block(this.members, { ...this.presentation, description: inertCopy(description) })
  }

  /** Sets the name of an icon of the user interface, such as `quote`. */
  icon(icon: string): Block<Declared> {
    return new Block(this.members, { ...this.presentation, icon })
  }
}

/** The blocks of a field, by name: each an object of fields, or the result of `f.block()`. */
export interface DeclaredBlocks {
  readonly [name: string]: DeclaredMembers | Block
}

/** The input type of a list of these blocks. */
export type BlocksValue<Declared extends DeclaredBlocks> = readonly {
  [Name in keyof Declared & string]: BlockItem<Name> & ObjectValue<MembersOf<Declared[Name]>>
}[keyof Declared & string][]

interface BlockItem<Name> {
  readonly type: Name
  readonly id?: string
}

type MembersOf<Declared extends DeclaredBlocks[string]> =
  Declared extends Block<infer Members> ? Members : Declared extends DeclaredMembers ? Declared : never

/** The members that every item has beside those of its block. */
export const ITEM_MEMBERS: readonly string[] = ["type", "id"]
const FILTER_NAMES: readonly string[] = ["AND", "OR", "NOT"]

/** Returns the block that an author has declared as an object of fields, or by `f.block()`. */
export function asBlock(declared: unknown): Block<Members> {
  // The casts are safe: `findBlockMistakes` refuses every other value, and members that are not fields.
  return declared instanceof Block ? (declared as unknown as Block<Members>) : new Block(declared as Members)
}

/** Returns the mistakes in the declaration of one block of a field. */
export function findBlockMistakes(name: string, declared: unknown): readonly string[] {
  const problem = findNameProblem(name)
  const ofName = problem === undefined ? [] : [`has a block with an invalid name: ${problem}`]
  const { members } = asBlock(declared)
  if (!isPlainObject(members))
    return [...ofName, `declares its block "${name}" without an object of fields. Write ${name}: { text: f.text() }.`]
  const named = (member: string) => `"${member}" of its block "${name}"`
  return [...ofName, ...findMemberMistakes({ members, named, findOwnProblem: findMemberNameProblem })]
}

function findMemberNameProblem(name: string): string | undefined {
  if (ITEM_MEMBERS.includes(name)) return `every item of a list of blocks has its own "${name}". Choose another.`
  return FILTER_NAMES.includes(name) ? `the name "${name}" has a meaning in filters. Choose another.` : undefined
}
