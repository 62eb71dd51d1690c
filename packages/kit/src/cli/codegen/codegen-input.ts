import type { CompiledDefinition } from "../../app/definition/compile-definition.ts"
import type { Modules } from "./module-type.ts"

/** The app that types are written for. */
export interface CodegenInput extends CompiledDefinition {
  readonly modules: Modules
  /** Whether the app asks its database by itself; else nobody needs the types of its tables. */
  readonly usesDatabase: boolean
}
