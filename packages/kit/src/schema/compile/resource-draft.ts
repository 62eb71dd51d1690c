import type { ResourceDefinition } from "../builders/definition.ts"
import type { Resource, ResourceField } from "./resource.ts"

/** A resource definition and the file from which it was read. */
export interface SourcedDefinition {
  readonly file: string
  readonly definition: ResourceDefinition
}

/** An author's mistake: the file that contains it, and a sentence that says what to do. */
export interface Mistake {
  readonly file: string
  readonly message: string
  /** The name of the collection to which a relation refers, if there is no such collection. */
  readonly missing?: string
}

export type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] }

/** A resource during compilation. Its relations are linked to their targets before it is frozen. */
export interface ResourceDraft {
  readonly source: SourcedDefinition
  readonly resource: Writable<Resource>
  readonly fields: Map<string, Writable<ResourceField>>
  /** The stage whose copies of the records the resource reads. Undefined if it reads the working copies. */
  readonly stage: string | undefined
}
