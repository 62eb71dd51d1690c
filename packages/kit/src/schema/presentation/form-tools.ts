import { inertCopy, readOnce } from "./inert-copy.ts"
import type { AuthorText, FieldOf, FormGroup, FormPart, PresentedTypes, Text } from "./presentation.ts"

/** The functions with which `.form(({ tab, section, side }) => …)` groups fields. */
interface FormTools<Name extends PropertyKey = string> {
  /** Shows the parts on a tab of their own. A tab stands at the top level of the form. */
  tab(label: AuthorText, parts: readonly FormPart<Name>[]): FormGroup
  /** Shows fields under a heading. A section stands at the top level, in a tab or at the side. */
  section(label: AuthorText, fields: readonly Name[]): FormGroup
  /** Shows the parts beside the form, on every tab. It stands at the top level. */
  side(parts: readonly FormPart<Name>[]): FormGroup
}

/** The argument of `.form()`: a function that returns the parts of the form. */
export type FormLayout<Name extends PropertyKey = string> = (tools: FormTools<Name>) => readonly FormPart<Name>[]

/** The argument of `.form()` on the generated builder of the resource with these types. */
export type FormOf<Types extends PresentedTypes> = FormLayout<FieldOf<Types>>

const TOOLS: FormTools = Object.freeze({
  tab: (label: Text, parts: readonly FormPart[]): FormGroup => ({ kind: "tab", label, parts }),
  section: (label: Text, parts: readonly string[]): FormGroup => ({ kind: "section", label, parts }),
  side: (parts: readonly FormPart[]): FormGroup => ({ kind: "side", parts }),
})

/** Calls the function that an author passes to `.form()`. The check of the app's definition reports a wrong result. */
export function layOutForm(layout: FormLayout): readonly FormPart[] {
  const given: unknown = typeof layout === "function" ? readOnce(() => layout(TOOLS)) : layout
  // The cast is safe: a definition whose form is not a list of parts is never compiled.
  return inertCopy(given) as readonly FormPart[]
}
