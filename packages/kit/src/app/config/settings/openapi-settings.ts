import type { OpenApiAudience } from "../../../http/endpoints/openapi.ts"
import type { AppMode } from "../../definition/app-definition.ts"
import type { KitConfig } from "../config.ts"
import type { SettingType } from "./setting.ts"

/** The values of the setting `openapi`. */
export const OPENAPI_AUDIENCE: SettingType = {
  type: '`true`, `"signed-in"` or `false`',
  check: (value) => (typeof value === "boolean" || value === "signed-in" ? undefined : 'true, "signed-in" or false'),
}

/**
 * Returns who gets the OpenAPI document. It shows nobody more than they may use, but it lists all of that in one answer,
 * so outside of development it is only for callers who have signed in.
 */
export function openApiAudience({ openapi }: KitConfig, mode: AppMode): OpenApiAudience {
  return openapi ?? (mode === "development" ? true : "signed-in")
}
