import type { FieldReference, ResourceField } from "../../schema/compile/resource.ts"
import { type PartTree, partTreeOf } from "../../schema/fields/members/part-tree.ts"
import { didYouMean } from "../../wire/errors/did-you-mean.ts"

/** A part of a field that the option `with` names, with the options of the relation, which are not parsed yet. */
export interface AskedPart {
  readonly reference: FieldReference
  readonly value: unknown
  readonly path: string
}

/** The value of a field in `with`, and its path there. */
interface AskedField {
  readonly value: unknown
  readonly path: string
}

/** Says how the values of `with` are written, and receives the wrong ones. */
interface PartReading {
  readonly isText: boolean
  readonly refuse: Refuse
}

/** Reports a name that no relation of the field has, or a value that names no relations. */
type Refuse = (path: string, problem: string) => void

/** Returns the relations in a field's value that the option `with` names. Every other name is passed to `refuse`. */
export function askedParts(
  field: ResourceField,
  { value, path }: AskedField,
  { isText, refuse }: PartReading,
): readonly AskedPart[] {
  return askedIn(partTreeOf(field), { value, path })

  function askedIn({ reference, parts }: PartTree, asked: AskedField): AskedPart[] {
    if (asked.value === false || asked.value === "false") return []
    if (reference) return [{ reference, ...asked }]
    // In a query string, an empty string stands for an empty object.
    const given = isText && asked.value === "" ? {} : asked.value
    if (typeof given !== "object" || given === null || Array.isArray(given)) {
      refuse(asked.path, `Name the relations inside of it: ${exampleOf({ parts })}.`)
      return []
    }
    return Object.entries(given).flatMap(([name, inner]) => {
      const at = { value: inner, path: `${asked.path}.${name}` }
      const part = parts.get(name)
      if (part) return askedIn(part, at)
      refuse(at.path, `There is no relation "${name}" here.${didYouMean(name, parts.keys())}`)
      return []
    })
  }
}

function exampleOf({ reference, parts }: PartTree): string {
  const [first] = parts
  return first && reference === undefined ? `{ ${first[0]}: ${exampleOf(first[1])} }` : "true"
}
