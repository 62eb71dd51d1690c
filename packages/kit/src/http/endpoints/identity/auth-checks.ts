import { findImageProblem, findNameProblem } from "../../../features/auth/accounts/profile.ts"
import { PASSWORD_CHARACTERS } from "../../../features/auth/accounts/user-accounts.ts"
import { findLineProblem } from "../../../schema/fields/one-line.ts"
import { isId } from "../../../schema/fields/relation.ts"
import { ApiError, type FieldError } from "../../../wire/errors/api-error.ts"
import type { EndpointCall } from "../../endpoint.ts"
import { isAdmin } from "../../protection/caller-rule.ts"

type Body = Readonly<Record<string, unknown>>

/** A check of one member of the request body. The identity library checks only the member's type. */
interface Check {
  readonly member: string
  problemOf(value: unknown): string | undefined
}

/**
 * The checks of the request body for one URL path. They are skipped for callers who may not call that path, so that
 * those callers learn nothing from the error messages.
 */
export interface BodyChecks {
  readonly caller: "anyone" | "user" | "admin"
  readonly checks: readonly Check[]
}

const NAME = { member: "name", problemOf: ifText(findNameProblem) }
const IMAGE = { member: "image", problemOf: ifText(findImageProblem) }
const ROLE = { member: "role", problemOf: roleProblem }
const PASSWORD = { member: "password", problemOf: passwordProblem }
const USER = { member: "userId", problemOf: idProblem }
const BAN_SECONDS = { member: "banExpiresIn", problemOf: durationProblem }

export const SIGN_UP_CHECKS: BodyChecks = { caller: "anyone", checks: [NAME, IMAGE] }

export const PROFILE_CHECKS: BodyChecks = { caller: "user", checks: [NAME, IMAGE] }

const USER_ID_CHECKS: BodyChecks = { caller: "admin", checks: [USER] }

/** By URL path, the checks of requests that are forwarded to the identity library. */
export const BODY_CHECKS: Readonly<Record<string, BodyChecks>> = {
  "/auth/admin/create-user": { caller: "admin", checks: [NAME, ROLE, PASSWORD] },
  "/auth/admin/set-role": { caller: "admin", checks: [USER, ROLE] },
  "/auth/admin/ban-user": { caller: "admin", checks: [USER, BAN_SECONDS] },
  "/auth/admin/unban-user": USER_ID_CHECKS,
  "/auth/admin/set-user-password": USER_ID_CHECKS,
  "/auth/admin/revoke-user-sessions": USER_ID_CHECKS,
  "/auth/admin/remove-user": USER_ID_CHECKS,
}

/** Throws if the body has values that the identity library would store unchecked or fail on. */
export function checkBody({ ctx }: EndpointCall, { caller, checks }: BodyChecks, body: Body = {}): void {
  const { session } = ctx
  if (caller === "user" && session === null) return
  if (caller === "admin" && !(session && isAdmin(session))) return
  const fieldErrors = checks.flatMap((check) => problemsOf(check, body))
  if (fieldErrors.length === 0) return
  throw new ApiError("VALIDATION_ERROR", { fieldErrors, context: { reason: "VALIDATION_ERROR" } })
}

function problemsOf({ member, problemOf }: Check, body: Body): FieldError[] {
  const message = Object.hasOwn(body, member) ? problemOf(body[member]) : undefined
  return message === undefined ? [] : [{ path: member, message }]
}

// Returns a check of strings. It ignores values of other types, because the identity library itself refuses them.
function ifText(findProblem: (text: string) => string | undefined): Check["problemOf"] {
  return (value) => (typeof value === "string" ? findProblem(value) : undefined)
}

// Checks one role or a list of roles, because the identity library accepts both.
function roleProblem(value: unknown): string | undefined {
  const roles: readonly unknown[] = Array.isArray(value) ? value : [value]
  const texts = roles.filter((role) => typeof role === "string")
  if (roles.length === 0 || texts.some((role) => role.trim() === "")) return "Required."
  return texts.map(findLineProblem).find((problem) => problem !== undefined)
}

function passwordProblem(value: unknown): string | undefined {
  const { min, max } = PASSWORD_CHARACTERS
  if (typeof value !== "string" || (value.length >= min && value.length <= max)) return undefined
  return `Must have from ${min} to ${max} characters.`
}

function idProblem(value: unknown): string | undefined {
  return isId(value) ? undefined : "Expected the id of a user."
}

function durationProblem(value: unknown): string | undefined {
  return typeof value === "number" && value <= 0 ? "Expected a number of seconds above 0." : undefined
}
