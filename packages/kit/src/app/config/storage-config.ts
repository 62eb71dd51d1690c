import type { SettingChecks } from "./setting-check.ts"

export interface StorageConfig {
  /** The folder for uploaded files, relative to the app's folder; `.kit/files` unless set. */
  readonly folder?: string
}

export const STORAGE_SETTINGS: SettingChecks = {
  folder: (value) => (typeof value === "string" && value !== "" ? undefined : 'a folder such as "./files"'),
}
