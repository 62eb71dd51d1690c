// Written by kit generate; changes are lost.
// @ts-nocheck
import type { App, OpenOptions } from "kit"
import { type AppDeclarations, openDefinition } from "kit/generated"
import _kit_config from "../../kit.config.ts"
import _collections_todos from "../collections/todos.ts"

/** Everything that the files of the app declare. */
export const definition: AppDeclarations = {
  config: _kit_config,
  resources: [
    { file: "src/collections/todos.ts", definition: _collections_todos.definition },
  ],
}

/** Opens the app; its `stop` closes it again. */
export function openApp(options: OpenOptions = {}): Promise<App> {
  return openDefinition(definition, options)
}
