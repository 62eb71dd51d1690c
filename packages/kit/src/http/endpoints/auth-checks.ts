import { PASSWORD_CHARACTERS } from "../../features/auth/user-accounts.ts"
import { isId } from "../../schema/fields/relation.ts"
import { ApiError, type FieldError } from "../../wire/api-error.ts"
import type { EndpointCall } from "../endpoint.ts"

type Body = Readonly<Record<string, unknown>>

/** What a member of a body has to be besides its type, which the library checks. */
interface Check {
  readonly member: string
  problemOf(value: unknown): string | undefined
}

/** The checks of one path; only whoever may call it hears of them. */
export interface BodyChecks {
  readonly caller: "anyone" | "user" | "admin"
  readonly checks: readonly Check[]
}

const NAME = { member: "name", problemOf: blankProblem }
const IMAGE = { member: "image", problemOf: imageProblem }
const ROLE = { member: "role", problemOf: roleProblem }
const PASSWORD = { member: "password", problemOf: passwordProblem }
const USER = { member: "userId", problemOf: idProblem }
const BAN_SECONDS = { member: "banExpiresIn", problemOf: durationProblem }

export const SIGN_UP_CHECKS: BodyChecks = { caller: "anyone", checks: [NAME, IMAGE] }

const ofUser: BodyChecks = { caller: "admin", checks: [USER] }

/** Of what is passed on, by its path. */
export const BODY_CHECKS: Readonly<Record<string, BodyChecks>> = {
  "/auth/update-user": { caller: "user", checks: [NAME, IMAGE] },
  "/auth/admin/create-user": { caller: "admin", checks: [NAME, ROLE, PASSWORD] },
  "/auth/admin/set-role": { caller: "admin", checks: [USER, ROLE] },
  "/auth/admin/ban-user": { caller: "admin", checks: [USER, BAN_SECONDS] },
  "/auth/admin/unban-user": ofUser,
  "/auth/admin/set-user-password": ofUser,
  "/auth/admin/revoke-user-sessions": ofUser,
  "/auth/admin/remove-user": ofUser,
}

/** Refuses what the library would store or stumble over. */
export function checkBody({ ctx }: EndpointCall, { caller, checks }: BodyChecks, body: Body = {}): void {
  const role = ctx.session?.user["role"]
  if (caller === "user" && ctx.session === null) return
  if (caller === "admin" && !String(role).split(",").includes("admin")) return
  const fieldErrors = checks.flatMap((check) => problemsOf(check, body))
  if (fieldErrors.length === 0) return
  throw new ApiError("VALIDATION_ERROR", { fieldErrors, context: { reason: "VALIDATION_ERROR" } })
}

function problemsOf({ member, problemOf }: Check, body: Body): FieldError[] {
  const message = Object.hasOwn(body, member) ? problemOf(body[member]) : undefined
  return message === undefined ? [] : [{ path: member, message }]
}

function blankProblem(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() === "" ? "Required." : undefined
}

// Pages show it as it is: nothing but what a browser may fetch as a picture.
function imageProblem(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined
  const isPath = /^\/(?![/\\])/.test(value)
  const isWeb = URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
  return isPath || isWeb ? undefined : "Expected a URL such as https://example.com/eva.png, or a path such as /eva.png."
}

// The library also takes a list of roles.
function roleProblem(value: unknown): string | undefined {
  const roles: readonly unknown[] = Array.isArray(value) ? value : [value]
  return roles.length === 0 || roles.some((role) => blankProblem(role) !== undefined) ? "Required." : undefined
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
