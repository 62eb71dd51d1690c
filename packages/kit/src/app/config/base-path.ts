import { normalizeBasePath } from "../../wire/paths/paths.ts"
import type { KitConfig } from "./config.ts"

const DEFAULT_BASE_PATH = "/api"

/**
 * Returns the URL path at which the API is mounted, without a trailing slash. A `basePath` setting that is not a string
 * is reported by the configuration checks.
 */
export function basePathOf({ basePath = DEFAULT_BASE_PATH }: KitConfig): string {
  return normalizeBasePath(String(basePath))
}
