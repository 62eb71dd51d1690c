import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { KnownLocales } from "../compile/locales.ts"
import { Unreadable } from "./inert-copy.ts"
import { COLORS } from "./presentation.ts"

/** A value that an author has given, and the phrase for its place in messages. */
interface Given {
  readonly place: string
  readonly value: unknown
}

/** Returns the mistakes in a text: it has to be a string, or strings by locale, and none of them may be empty. */
export function checkText({ place, value }: Given, locales: KnownLocales): string[] {
  if (value === undefined) return []
  if (value instanceof Unreadable) return [unreadable(place, value)]
  if (typeof value === "string") return checkString(place, value)
  if (!isObject(value) || Object.keys(value).length === 0) return [notText(place)]
  return Object.entries(value).flatMap(([locale, text]) => {
    if (locales && !locales.includes(locale)) return [unknownLocale({ place, locale }, locales)]
    const inLocale = `${place} in the locale "${locale}"`
    return typeof text === "string" ? checkString(inLocale, text) : [notText(inLocale)]
  })
}

function checkString(place: string, text: string): string[] {
  return text.trim() === "" ? [`${place} is empty. Write a text, or leave it out.`] : []
}

function notText(place: string): string {
  return `${place} is not a text. Write a text such as "Articles", or one per locale such as { en: "Articles" }.`
}

function unknownLocale({ place, locale }: { place: string; locale: string }, locales: readonly string[]): string {
  const known = didYouMean(locale, locales)
  return `${place} is given for the locale "${locale}", which the app does not have.${known} Remove it, or add the locale to "locales" in kit.config.ts.`
}

interface Choice {
  readonly label?: unknown
  readonly description?: unknown
  readonly color?: unknown
}

/** Returns the mistakes in the label, description and colour of an option or a stage. */
export function checkChoice(place: string, { label, description, color }: Choice, locales: KnownLocales): string[] {
  return [
    ...checkText({ place: `the label of ${place}`, value: label }, locales),
    ...checkText({ place: `the description of ${place}`, value: description }, locales),
    ...checkWord({ place: `the color of ${place}`, value: color }, COLORS),
  ]
}

const ICON = /^[a-z0-9-]{1,50}$/

/** Returns a mistake if the value is not the name of an icon. `call` is the call that gives it. */
export function checkIcon(call: string, icon: unknown): string[] {
  if (icon === undefined || (typeof icon === "string" && ICON.test(icon))) return []
  return [`${call} takes the short name of an icon, in small letters, digits and -, such as "newspaper".`]
}

/** Returns a mistake if the value is not one of these words. */
export function checkWord({ place, value }: Given, words: readonly string[]): string[] {
  if (value === undefined || words.some((word) => word === value)) return []
  if (typeof value !== "string") return [`${place} is not a text. Write one of ${words.join(", ")}.`]
  return [`${place} cannot be "${value}".${didYouMean(value, words)}`]
}

/** Returns the mistakes in the names of an object's members. */
export function checkMembers({ place, value }: Given & { value: object }, known: readonly string[]): string[] {
  const unknown = Object.keys(value).filter((name) => !known.includes(name))
  return unknown.map((name) => `${place} has no "${name}".${didYouMean(name, known)}`)
}

export function unreadable(place: string, { reason }: Unreadable): string {
  return `${place} cannot be read: ${reason}.`
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Unreadable)
}
