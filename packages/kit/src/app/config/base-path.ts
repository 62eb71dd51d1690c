import { normalizeBasePath } from "../../wire/paths/paths.ts"
import type { KitConfig } from "./config.ts"

const DEFAULT_BASE_PATH = "/api"

/** The path at which the API is mounted, without a trailing slash. A non-string setting is reported elsewhere. */
export function basePathOf({ basePath = DEFAULT_BASE_PATH }: KitConfig): string {
  return normalizeBasePath(String(basePath))
}
