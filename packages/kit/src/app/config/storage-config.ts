import type { SettingGroup } from "./settings/setting.ts"
import { isNonEmptyText } from "./settings/setting-types.ts"

export interface StorageConfig {
  /** The folder for uploaded files, relative to the app's folder; `.kit/files` unless set. */
  readonly folder?: string
}

export const STORAGE_SETTINGS: SettingGroup = {
  folder: {
    type: "folder",
    check: (value) => (isNonEmptyText(value) ? undefined : 'a folder such as "./files"'),
    default: "`.kit/files`",
    purpose: "the folder of [uploaded files](files.md), relative to that of the app",
  },
}
