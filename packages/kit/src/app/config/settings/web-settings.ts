import type { SettingGroup } from "./setting.ts"
import { FLAG, isNonEmptyText } from "./setting-types.ts"

export interface WebConfig {
  /** The folder of the files that are served outside of the base path, relative to the app's folder: `web/dist`. */
  readonly dir: string
  /**
   * True if paths without a file get `index.html`, for a page whose script handles such paths; false unless set. Paths
   * with an extension, and requests that do not accept HTML, still get 404.
   */
  readonly spa?: boolean
}

export const WEB_SETTINGS: SettingGroup = {
  dir: {
    type: "folder",
    check: (value) => (isNonEmptyText(value) ? undefined : 'a folder such as "web/dist"'),
    default: "none",
    purpose: "the folder of [web pages](web-pages.md), relative to that of the app",
  },
  spa: {
    ...FLAG,
    default: "`false`",
    purpose: "`true` answers paths without a file with `index.html`, for pages that handle paths themselves",
  },
}

interface CheckedSettings {
  readonly web?: WebConfig
  readonly basePath?: string
}

/** Returns the mistakes in the setting `web` that concern more than one of its members. */
export function findWebMistakes({ web, basePath }: CheckedSettings): string[] {
  if (web === undefined || web === null || typeof web !== "object") return []
  if (web.dir === undefined) return ['the setting "web" needs "dir", the folder of the pages: { dir: "web/dist" }.']
  if (basePath !== "/" && basePath !== "") return []
  return [
    'the setting "web" leaves no path to the pages, because "basePath" is "/". Set basePath to a path such as "/api".',
  ]
}
