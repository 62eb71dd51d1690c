import { randomBytes } from "node:crypto"
import type { AppDefinition } from "../definition/app-definition.ts"
import { chooseSecret, type Drivers } from "./defaults.ts"

/** The secret of the app, chosen when it is first asked for: an app that brings its own sessions may never need one. */
export function secretOf({ config, root, mode }: AppDefinition, { secret }: Drivers): () => Promise<string> {
  let chosen: Promise<string> | undefined
  return () => {
    chosen ??= secret === undefined ? chooseSecret(config.secret, root, mode) : Promise.resolve(secret)
    return chosen
  }
}

/**
 * As `secretOf`; an app that has none gets one for this process alone. Streams need no secret, only changing their topics
 * through another process does, and a client that is refused there opens a new stream.
 */
export function streamSecretOf(definition: AppDefinition, drivers: Drivers): () => Promise<string> {
  const ask = secretOf(definition, drivers)
  let chosen: Promise<string> | undefined
  const own = (error: unknown) => {
    drivers.logger.warn(
      "The app has no secret, so that its processes cannot hand each other the topics of live queries; clients open new streams instead. Set secret in kit.config.ts, or KIT_SECRET.",
      { error },
    )
    return randomBytes(32).toString("base64url")
  }
  return () => {
    chosen ??= ask().catch(own)
    return chosen
  }
}
