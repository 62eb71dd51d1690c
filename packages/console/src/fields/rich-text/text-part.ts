import type { PartProps } from "../group/group-props.ts"

/** A rich text in a form, for the editors that are loaded when one is met. */
export interface TextPart extends PartProps {
  /** The attributes of the element in which is typed: the ids of its label, its hint and its problem. */
  readonly attributes: Readonly<Record<string, string>>
}
