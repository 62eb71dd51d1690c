import { inertCopy, readOnce } from "./inert-copy.ts"
import type { FormGroup, FormPart, Text } from "./presentation.ts"

/** The functions with which `.form(({ tab, section, side }) => …)` groups fields. */
export interface FormTools<Name extends PropertyKey = string> {
  /** Shows the parts on a tab of their own. A tab stands at the top level of the form. */
  tab(label: Text, parts: readonly FormPart<Name>[]): FormGroup
  /** Shows fields under a heading. A section stands at the top level, in a tab or at the side. */
  section(label: Text, fields: readonly Name[]): FormGroup
  /** Shows the parts beside the form, on every tab. It stands at the top level. */
  side(parts: readonly FormPart<Name>[]): FormGroup
}

const TOOLS: FormTools = Object.freeze({
  tab: (label: Text, parts: readonly FormPart[]): FormGroup => ({ kind: "tab", label, parts }),
  section: (label: Text, parts: readonly string[]): FormGroup => ({ kind: "section", label, parts }),
  side: (parts: readonly FormPart[]): FormGroup => ({ kind: "side", parts }),
})

/** Calls the function that an author passes to `.form()`. The check of the app's definition reports a wrong result. */
export function layOutForm(layout: (tools: FormTools) => readonly FormPart[]): readonly FormPart[] {
  const given: unknown = typeof layout === "function" ? readOnce(() => layout(TOOLS)) : layout
  // The cast is safe: a definition whose form is not a list of parts is never compiled.
  return inertCopy(given) as readonly FormPart[]
}
