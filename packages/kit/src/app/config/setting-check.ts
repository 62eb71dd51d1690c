/**
 * A function that checks the value of a setting. It returns undefined if the value is valid, otherwise a description of
 * a valid value.
 */
export type SettingCheck = (value: unknown) => string | undefined

/** The check for each setting in a group, by the setting's name. A group may contain other groups. */
export interface SettingChecks {
  readonly [name: string]: SettingCheck | SettingChecks
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

export function hasFunctions(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof Reflect.get(value, name) === "function")
}
