/**
 * A function that checks the value of a setting. It returns undefined if the value is valid, otherwise a description of
 * a valid value.
 */
type SettingCheck = (value: unknown) => string | undefined

/** The values that a setting takes, without their meaning. */
export interface SettingType {
  /** The valid values, as `docs/settings.md` shows them. */
  readonly type: string
  readonly check: SettingCheck
}

/** A setting of `defineConfig`. The check of an app's settings and `docs/settings.md` are both made from it. */
export interface Setting extends SettingType {
  /** The value, or the behaviour, if the setting is not set. As the purpose, it is Markdown. */
  readonly default: string
  readonly purpose: string
  /** The settings inside the value, if the value may also be an object. `check` is for its other values. */
  readonly members?: SettingGroup
}

/** The settings of a group by their names. A group may contain other groups. */
export interface SettingGroup {
  readonly [name: string]: Setting | SettingGroup
}

export function isSetting(entry: Setting | SettingGroup): entry is Setting {
  return typeof entry["check"] === "function"
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

export function hasFunctions(value: unknown, names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof Reflect.get(value, name) === "function")
}
