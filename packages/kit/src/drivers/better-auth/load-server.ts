import type { IdentityServer } from "../../ports/identity.ts"
import type { IdentitySettings } from "./settings.ts"

/** Loads the library on demand, because importing it takes longer than the whole start of an app. */
export async function loadServer(settings: IdentitySettings): Promise<IdentityServer> {
  const { createServer } = await import("./create-server.ts")
  return createServer(settings)
}
