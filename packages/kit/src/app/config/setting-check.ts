/** Says what a setting must be, unless the value is that. */
export type SettingCheck = (value: unknown) => string | undefined

/** The settings of a part by name; a part may have parts. */
export interface SettingChecks {
  readonly [name: string]: SettingCheck | SettingChecks
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

export function hasFunctions(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof Reflect.get(value, name) === "function")
}
