import { normalizeBasePath } from "../../wire/paths/paths.ts"
import type { KitConfig } from "./config.ts"

const DEFAULT_BASE_PATH = "/api"

/** Where the API is mounted, without a trailing slash. A setting that is no text is reported elsewhere. */
export function basePathOf({ basePath = DEFAULT_BASE_PATH }: KitConfig): string {
  return normalizeBasePath(String(basePath))
}
