import { KitClientError } from "kit/client"
import type { EntranceWords } from "../../words/entrance-words.ts"
import { currentLanguage } from "../../words/language.ts"

type ProblemWords = EntranceWords["problems"]
type PlainProblem = {
  [Name in keyof ProblemWords]: ProblemWords[Name] extends string ? Name : never
}[keyof ProblemWords]

/** The problems by the reason that the API gives in `context.reason`. */
const BY_REASON: Readonly<Record<string, PlainProblem>> = {
  INVALID_EMAIL_OR_PASSWORD: "wrongCredentials",
  INVALID_EMAIL: "invalidEmail",
  BANNED_USER: "banned",
  EMAIL_NOT_VERIFIED: "notVerified",
  PASSWORD_TOO_SHORT: "passwordLength",
  PASSWORD_TOO_LONG: "passwordLength",
  INVALID_PASSWORD: "wrongPassword",
  USER_ALREADY_EXISTS: "emailTaken",
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "emailTaken",
}

/** The problems by the error with which another service sends the browser back. */
const BY_PROVIDER_ERROR: Readonly<Record<string, PlainProblem>> = {
  access_denied: "providerCancelled",
  signup_disabled: "providerUnknown",
  account_not_linked: "providerNotLinked",
  email_not_verified: "notVerified",
  banned: "banned",
}

/** Says in the language of the person what is wrong. Errors that the console does not know keep the API's own words. */
export function problemText(error: unknown, words: ProblemWords): string {
  if (!(error instanceof KitClientError)) return String(error)
  const known = BY_REASON[String(error.context?.["reason"])]
  if (known !== undefined) return words[known]
  if (error.isCode("RATE_LIMITED")) return words.tooMany(waitText(Number(error.context?.["retryAfterSeconds"] ?? 60)))
  if (error.isCode("SERVICE_UNAVAILABLE")) return words.busy
  if (error.status === 0) return words.unreachable
  return error.message
}

/** Says what is wrong with one field of a form about an account; undefined if nothing is. */
export function fieldProblemText(error: unknown, field: string, words: ProblemWords): string | undefined {
  const found = error instanceof KitClientError ? error.getFieldError(field) : undefined
  if (found === undefined || !(error instanceof KitClientError)) return undefined
  if (field === "email") return error.isCode("CONFLICT") ? words.emailTaken : words.invalidEmail
  return field === "password" || field === "newPassword" ? words.passwordLength : found.message
}

/** Says why the sign-in with another service has failed. */
export function providerProblemText(code: string, words: ProblemWords): string {
  return words[BY_PROVIDER_ERROR[code] ?? "provider"]
}

function waitText(seconds: number): string {
  const [amount, unit] = seconds < 90 ? [seconds, "second"] : [Math.ceil(seconds / 60), "minute"]
  return new Intl.NumberFormat(currentLanguage(), { style: "unit", unit, unitDisplay: "short" }).format(amount)
}
