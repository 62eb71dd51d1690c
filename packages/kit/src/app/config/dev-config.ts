import type { DevSignIn } from "../../http/front-page/page-facts.ts"
import { isObject, type SettingCheck, type SettingChecks } from "./setting-check.ts"

export interface DevConfig {
  /**
   * The seeded users as whom a developer can sign in: `[{ email: "editor@example.com", password: "newsroom" }]`. `kit
   * dev` prints them, and its page at `/` has a button for each.
   */
  readonly signIns?: readonly DevSignIn[]
}

const SIGN_IN_MEMBERS = ["email", "password"]

const checkSignIns: SettingCheck = (value) =>
  Array.isArray(value) && value.every(isSignIn)
    ? undefined
    : 'a list such as [{ email: "editor@example.com", password: "newsroom" }]'

export const DEV_SETTINGS: SettingChecks = { signIns: checkSignIns }

function isSignIn(value: unknown): boolean {
  if (!isObject(value) || Object.keys(value).some((name) => !SIGN_IN_MEMBERS.includes(name))) return false
  const [email, password] = SIGN_IN_MEMBERS.map((name): unknown => Reflect.get(value, name))
  return typeof email === "string" && email.includes("@") && typeof password === "string" && password !== ""
}

interface CheckedSettings {
  readonly dev?: DevConfig
  readonly sessions?: unknown
}

/** Returns a mistake if there are sign-ins, but no users of kit who could sign in. */
export function findDevMistakes({ dev, sessions }: CheckedSettings): string[] {
  if (sessions === undefined || dev?.signIns === undefined) return []
  return [
    'the setting "dev.signIns" has no effect beside "sessions", which takes the place of kit\'s users. Remove it.',
  ]
}
