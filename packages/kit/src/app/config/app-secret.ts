import { randomBytes } from "node:crypto"
import type { Logger } from "../../ports/logger.ts"
import type { AppDefinition } from "../definition/app-definition.ts"
import { chooseSecret } from "./defaults.ts"

interface ChosenSecret {
  /** The secret that was chosen at the start; undefined for an app with its own session provider. */
  readonly secret: string | undefined
}

/**
 * Returns a function that provides the app's secret. The secret is chosen at the function's first call, because an app
 * with its own session provider may never need a secret.
 */
export function secretOf({ config, root, mode }: AppDefinition, { secret }: ChosenSecret): () => Promise<string> {
  let chosen: Promise<string> | undefined
  return () => {
    chosen ??= secret === undefined ? chooseSecret(config.secret, root, mode) : Promise.resolve(secret)
    return chosen
  }
}

/**
 * Like `secretOf`, except that an app without a secret gets a random secret for this process. The secret matters only
 * if a request to change a stream's topics reaches a different process from the one that holds the stream. Without a
 * shared secret, the request is refused there, and the client opens a new stream.
 */
export function streamSecretOf(
  definition: AppDefinition,
  { secret, logger }: ChosenSecret & { readonly logger: Logger },
): () => Promise<string> {
  const ask = secretOf(definition, { secret })
  let chosen: Promise<string> | undefined
  const own = (error: unknown) => {
    logger.warn(
      "The app has no secret, so its processes cannot pass the topics of live queries to each other; clients open new streams instead. Set secret in kit.config.ts, or KIT_SECRET.",
      { error },
    )
    return randomBytes(32).toString("base64url")
  }
  return () => {
    chosen ??= ask().catch(own)
    return chosen
  }
}
