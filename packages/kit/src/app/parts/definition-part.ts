import { SessionCache } from "../../features/auth/sessions/session-cache.ts"
import { identityHooks } from "../../features/auth/user-hooks.ts"
import { fileHooks } from "../../features/uploads/file-hooks.ts"
import type { AppInputs } from "../app-inputs.ts"
import { checkApp } from "../definition/check-app.ts"
import type { CompiledDefinition } from "../definition/compile-definition.ts"
import type { FrameworkHooks } from "../definition/compile-resources.ts"
import { Emitter } from "../emitter.ts"
import type { Part } from "../part-list.ts"

interface OpenDefinition extends CompiledDefinition {
  /** Recently read sessions. A change of a user removes the user's sessions. */
  readonly sessionCache: SessionCache
  /** Emits the key of a file after the deletion of its record is committed. */
  readonly deletedFiles: Emitter<string>
}

/**
 * The author's declarations, checked and compiled. The hooks that the framework adds to them are part of the schema, so
 * the objects through which these hooks reach later parts are created here.
 */
export const definitionPart: Part<Pick<AppInputs, "definition" | "now">, OpenDefinition> = {
  open: async ({ definition, now }) => {
    const sessionCache = new SessionCache()
    const deletedFiles = new Emitter<string>()
    const frameworkHooks: FrameworkHooks = {
      users: identityHooks(sessionCache),
      files: (resource) => fileHooks(resource, { now, onDeleted: (key) => deletedFiles.emit(key) }),
    }
    const compiled = await checkApp({ ...definition, frameworkHooks })
    return { ...compiled, sessionCache, deletedFiles }
  },
}
