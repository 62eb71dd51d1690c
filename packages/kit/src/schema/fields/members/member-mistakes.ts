import { Field } from "../../builders/field.ts"
import { isProblem } from "../../compile/field-type.ts"
import { findNameProblem } from "../../compile/names.ts"
import { findPartMistakes } from "../part.ts"
import { RelationField } from "../relation.ts"
import type { Members } from "./compile-members.ts"

/** Members, and the phrases for them in the messages to the author. */
interface NamedMembers {
  readonly members: Members
  /** Returns the phrase for a member, such as `its part "street"`. */
  named(name: string): string
  /** Returns why a member may not have this name, or undefined if it may. */
  findOwnProblem?(name: string): string | undefined
}

/** Returns the mistakes in the declaration of members. */
export function findMemberMistakes({ members, named, findOwnProblem }: NamedMembers): readonly string[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const problem = findNameProblem(name) ?? findOwnProblem?.(name)
    const mistakes = [...findPartMistakes(named(name), member), ...findDefaultMistake(named(name), member)]
    return problem === undefined ? mistakes : [`has a part with an invalid name: ${problem}`, ...mistakes]
  })
}

function findDefaultMistake(named: string, member: Field): string[] {
  // The default of a relation is reported with the mistakes in the part.
  if (!(member instanceof Field) || member instanceof RelationField || member.mistakes().length > 0) return []
  const { default: value } = member.traits
  if (typeof value === "function") return isPlainFunction(value) ? [] : [partDefaultMistake(named)]
  if (value === undefined) return []
  const parsed = member.compile().parse(value)
  return isProblem(parsed) ? [`has a default of ${named} that does not fit: ${parsed.problem}`] : []
}

// True if the function can be called without the context, and returns its value without a promise.
function isPlainFunction(make: { readonly length: number }): boolean {
  return make.length === 0 && Object.prototype.toString.call(make) !== "[object AsyncFunction]"
}

function partDefaultMistake(named: string): string {
  return `has a default of ${named} that takes the context or is async. Only the default of a whole field can.`
}
