import type { CompiledDefinition } from "../../app/compile-definition.ts"
import type { Modules } from "./module-type.ts"

/** The app that types are written for. */
export interface CodegenInput extends CompiledDefinition {
  readonly modules: Modules
}
