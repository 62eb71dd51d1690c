import { createClient } from "kit/client"
import type { AppConfig } from "../../src/generated/index.ts"
import { storedLanguage } from "./shell/stored-language.ts"

/** The client of the API, which the same server serves beside this page. */
export const client = createClient<AppConfig>({
  baseURL: location.origin,
  basePath: "/api",
  headers: { "accept-language": storedLanguage() },
})
