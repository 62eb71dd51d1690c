import { isObject, type SettingType } from "./setting.ts"

const MAX_DAYS = 365

export const TEXT: SettingType = {
  type: "text",
  check: (value) => (typeof value === "string" ? undefined : "a text"),
}

export const NON_EMPTY_TEXT: SettingType = {
  type: "text",
  check: (value) => (isNonEmptyText(value) ? undefined : "a text"),
}

export const TEXTS: SettingType = {
  type: "list of texts",
  check: (value) => (isTextList(value) ? undefined : 'a list of texts such as ["en", "sk"]'),
}

export const TEXTS_BY_TEXT: SettingType = {
  type: "object of lists of texts",
  check: (value) =>
    isObject(value) && Object.values(value).every(isTextList) ? undefined : 'an object such as { sk: ["cs"] }',
}

export const FLAG: SettingType = {
  type: "`true` or `false`",
  check: (value) => (typeof value === "boolean" ? undefined : "true or false"),
}

/** A rule for callers of the app, such as that of the setting `developer`. */
export const CALLER_RULE: SettingType = {
  type: "`true`, `false` or a function",
  check: (value) =>
    typeof value === "boolean" || typeof value === "function"
      ? undefined
      : 'a boolean or a function such as ({ session }) => session?.user.role === "admin"',
}

export const OBJECT: SettingType = {
  type: "object",
  check: (value) => (isObject(value) ? undefined : "an object"),
}

export const COUNT: SettingType = {
  type: "whole number from 1",
  check: (value) => (isWholeNumber(value, 1) ? undefined : "a whole number from 1"),
}

export const COUNT_OR_ZERO: SettingType = {
  type: "whole number from 0",
  check: (value) => (isWholeNumber(value, 0) ? undefined : "a whole number from 0"),
}

export const DAYS: SettingType = countUpTo(MAX_DAYS)

export const BYTES: SettingType = {
  type: "whole number of bytes",
  check: (value) => (isWholeNumber(value, 0) ? undefined : "a whole number of bytes from 0 on"),
}

export const SHARE: SettingType = {
  type: "number above 0, up to 1",
  check: (value) =>
    typeof value === "number" && value > 0 && value <= 1 ? undefined : "a number above 0 and up to 1, such as 0.5",
}

/** Returns the type of the whole numbers from 1 to a maximum. */
export function countUpTo(max: number): SettingType {
  return {
    type: `whole number from 1 to ${max}`,
    check: (value) => (isWholeNumber(value, 1) && Number(value) <= max ? undefined : `a whole number from 1 to ${max}`),
  }
}

export function isNonEmptyText(value: unknown): boolean {
  return typeof value === "string" && value !== ""
}

function isTextList(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string")
}

function isWholeNumber(value: unknown, min: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= min
}
