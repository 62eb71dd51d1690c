import type { DevSignIn } from "../../http/front-page/page-facts.ts"
import { isObject, type SettingGroup, type SettingType } from "./settings/setting.ts"

export interface DevConfig {
  /**
   * The seeded users as whom a developer can sign in: `[{ email: "editor@example.com", password: "newsroom" }]`. `kit
   * dev` prints them, and its page at `/` has a button for each.
   */
  readonly signIns?: readonly DevSignIn[]
}

const SIGN_IN_MEMBERS = ["email", "password"]

const SIGN_INS: SettingType = {
  type: "list of `{ email, password }`",
  check: (value) =>
    Array.isArray(value) && value.every(isSignIn)
      ? undefined
      : 'a list such as [{ email: "editor@example.com", password: "newsroom" }]',
}

export const DEV_SETTINGS: SettingGroup = {
  signIns: {
    ...SIGN_INS,
    default: "none",
    purpose: "users of the seed whom `kit dev` prints, and as whom its page signs you in; unused in production",
  },
}

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
