import type { KnownLocales } from "../compile/locales.ts"
import { checkMembers, checkText, isObject, unreadable } from "./check-text.ts"
import { Unreadable } from "./inert-copy.ts"
import type { NamedFields } from "./named-fields.ts"

const PLACE = ".form()"

// The kinds of groups that may stand in the form itself, and in each kind of group. It limits the depth of a form.
const GROUPS_IN = {
  form: ["tab", "section", "side"],
  tab: ["section"],
  side: ["section"],
  section: [],
} as const satisfies Readonly<Record<string, readonly string[]>>

type Container = keyof typeof GROUPS_IN

interface FormChecks {
  readonly fields: NamedFields
  readonly locales: KnownLocales
}

/** Returns the mistakes in the form that the function passed to `.form()` has returned. */
export function checkForm(form: unknown, checks: FormChecks): string[] {
  if (form === undefined) return []
  if (typeof form === "object" && form instanceof Unreadable) return [unreadable(PLACE, form)]
  const names: unknown[] = []
  const mistakes = checkParts({ parts: form, container: "form", names }, checks)
  return [...mistakes, ...checks.fields.checkList(PLACE, names)]
}

interface Parts {
  readonly parts: unknown
  readonly container: Container
  /** Collects the names of fields in all parts, because a form shows a field once. */
  readonly names: unknown[]
}

function checkParts({ parts, container, names }: Parts, checks: FormChecks): string[] {
  if (!Array.isArray(parts)) return [notList(container)]
  return parts.flatMap((part: unknown) => {
    if (isObject(part)) return checkGroup(part, { container, names }, checks)
    names.push(part)
    return []
  })
}

function notList(container: Container): string {
  return container === "form"
    ? `${PLACE} takes a function that returns a list, such as ({ tab }) => [tab("Text", ["title"])].`
    : `${PLACE} has a ${container} without a list of fields. Write one such as ["title"].`
}

function checkGroup(
  group: Readonly<Record<string, unknown>>,
  { container, names }: Omit<Parts, "parts">,
  checks: FormChecks,
): string[] {
  const { kind, label, parts } = group
  if (!isGroupKind(kind))
    return [`${PLACE} has a part that is neither a field nor made by tab, section or side. Remove it.`]
  const allowed: readonly string[] = GROUPS_IN[container]
  if (!allowed.includes(kind)) return [`${PLACE} has a ${kind} inside a ${container}. Move it out.`]
  const isLabelled = kind !== "side"
  return [
    ...checkMembers({ place: `a ${kind} of ${PLACE}`, value: group }, [
      "kind",
      "parts",
      ...(isLabelled ? ["label"] : []),
    ]),
    ...(isLabelled && label === undefined
      ? [`${PLACE} has a ${kind} without a label. Write ${kind}("Text", ["title"]).`]
      : []),
    ...checkText({ place: `the label of a ${kind} of ${PLACE}`, value: label }, checks.locales),
    ...checkParts({ parts, container: kind, names }, checks),
  ]
}

function isGroupKind(kind: unknown): kind is Exclude<Container, "form"> {
  return GROUPS_IN.form.some((known) => known === kind)
}
