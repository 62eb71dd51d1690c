import { Field } from "../builders/field.ts"
import type { KnownLocales } from "../compile/locales.ts"
import { ArrayField } from "../fields/array.ts"
import { asBlock } from "../fields/blocks/block.ts"
import { BlocksField } from "../fields/blocks/blocks.ts"
import { ObjectField } from "../fields/object.ts"
import { describedOptions } from "../fields/select.ts"
import { checkChoice, checkIcon, checkMembers, checkText, checkWord } from "./check-text.ts"
import { FIELD_WIDTHS } from "./presentation.ts"

const OPTION_MEMBERS = ["value", "label", "color"]

/**
 * Returns the mistakes in what an author says about a field and about its parts, except for the filter of `.visible()`.
 * `place` is the phrase for the field in messages.
 */
export function checkFieldPresentation(place: string, field: unknown, locales: KnownLocales): string[] {
  // The check of the fields reports a value that is not a field.
  if (!(field instanceof Field)) return []
  const { label, description, placeholder, width } = field.traits
  return [
    ...checkText({ place: `the label of ${place}`, value: label }, locales),
    ...checkText({ place: `the description of ${place}`, value: description }, locales),
    ...checkText({ place: `the placeholder of ${place}`, value: placeholder }, locales),
    ...checkWord({ place: `the width of ${place}`, value: width }, FIELD_WIDTHS),
    ...checkOptions(place, field, locales),
    ...(field instanceof BlocksField ? checkBlocks(place, field, locales) : []),
    ...partsOf(place, field).flatMap((part) => checkFieldPresentation(part.place, part.field, locales)),
  ]
}

function checkOptions(place: string, field: Field, locales: KnownLocales): string[] {
  return describedOptions(field).flatMap((option) => {
    const named = `the option "${option.value}" of ${place}`
    return [...checkMembers({ place: named, value: option }, OPTION_MEMBERS), ...checkChoice(named, option, locales)]
  })
}

function checkBlocks(place: string, { rules }: BlocksField, locales: KnownLocales): string[] {
  return Object.entries(rules.blocks ?? {}).flatMap(([name, declared]) => {
    const { presentation, members } = asBlock(declared)
    const block = `the block "${name}" of ${place}`
    return [
      ...checkText({ place: `the label of ${block}`, value: presentation.label }, locales),
      ...checkText({ place: `the description of ${block}`, value: presentation.description }, locales),
      ...checkIcon(`.icon() of ${block}`, presentation.icon),
      ...membersOf(block, members).flatMap((part) => checkFieldPresentation(part.place, part.field, locales)),
    ]
  })
}

interface Part {
  readonly place: string
  readonly field: unknown
}

function partsOf(place: string, field: Field): Part[] {
  if (field instanceof ArrayField) return [{ place: `the items of ${place}`, field: field.rules.element }]
  return field instanceof ObjectField ? membersOf(place, field.rules.members) : []
}

function membersOf(place: string, members: object | undefined): Part[] {
  return Object.entries(members ?? {}).map(([name, part]) => ({ place: `the part "${name}" of ${place}`, field: part }))
}
