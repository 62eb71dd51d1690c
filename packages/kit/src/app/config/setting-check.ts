/** Returns what a setting must be, or undefined if the value is valid. */
export type SettingCheck = (value: unknown) => string | undefined

/** The checks of a group of settings by name; groups may be nested. */
export interface SettingChecks {
  readonly [name: string]: SettingCheck | SettingChecks
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

export function hasFunctions(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof Reflect.get(value, name) === "function")
}
