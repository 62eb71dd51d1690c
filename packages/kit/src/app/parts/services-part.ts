import type { HandlerContexts } from "../handlers/handler-contexts.ts"
import type { Part } from "../part-list.ts"

interface ServicesDependencies {
  readonly contexts: Pick<HandlerContexts, "dispose">
}

/**
 * The author's services that live as long as the app. The contexts create them at first use, so there is nothing to
 * open. They are disposed of while everything that they may use is still open, identity included.
 */
export const servicesPart: Part<ServicesDependencies, object> = {
  open: () => ({}),
  close: ({ contexts }) => contexts.dispose(),
}
