import type { CompiledDefinition } from "../../app/definition/compile-definition.ts"
import type { Modules } from "./module-type.ts"

/** The app whose types are generated. */
export interface CodegenInput extends CompiledDefinition {
  readonly modules: Modules
  /** True if the app's code uses `db`; otherwise the types of its tables are not needed. */
  readonly usesDatabase: boolean
}
