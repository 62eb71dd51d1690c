import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { ResourceDraft } from "../compile/resource-draft.ts"

/** A relation to another collection, as its author declares it. */
interface DeclaredTarget {
  readonly target: string
  /** True for `f.upload(…)`. The target must then be a collection of files. */
  readonly isUpload?: boolean
}

interface TargetMistake {
  readonly message: string
  /** The name of the target collection, if there is no such collection. */
  readonly missing?: string
}

/** Returns the mistake in the target of a relation, which its message says of a field; undefined if there is none. */
export function findTargetMistake(
  { target: name, isUpload = false }: DeclaredTarget,
  targets: ReadonlyMap<string, ResourceDraft>,
): TargetMistake | undefined {
  const target = targets.get(name)
  if (target === undefined) {
    const hint = didYouMean(name, targets.keys())
    return { message: `points to collection "${name}", which does not exist.${hint}`, missing: name }
  }
  if (!isUpload || target.resource.upload !== undefined) return undefined
  const holders = [...targets.values()].filter(({ resource }) => resource.upload)
  const hint = didYouMean(
    name,
    holders.map(({ resource }) => resource.name),
  )
  return {
    message: `points to collection "${name}", which has no files.${hint} Add .upload({ … }) to it, or use f.relation("${name}").`,
  }
}
