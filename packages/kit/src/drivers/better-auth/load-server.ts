import type { IdentityServer } from "../../ports/identity.ts"
import type { IdentitySettings } from "./settings.ts"

/** Imports better-auth on demand, because importing it takes longer than the rest of an app's start. */
export async function loadServer(settings: IdentitySettings): Promise<IdentityServer> {
  const { createServer } = await import("./create-server.ts")
  return createServer(settings)
}
