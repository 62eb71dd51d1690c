import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import type { ResourceField } from "../compile/resource.ts"
import { type SearchedResource, searchedNames } from "./compile-search.ts"
import type { SearchableDefinition } from "./searchable.ts"
import { isFacet, textFormOf } from "./searched-text.ts"
import { CONTENT_WEIGHT, distinctWeights, MAX_WEIGHTS, type SearchedNames } from "./weights.ts"

const MEMBERS = ["fields", "content", "with", "title", "facets", "weights"]

/** Returns the mistakes in the argument of `.searchable()`, as sentences for the author. */
export function checkSearchable(resource: SearchedResource): readonly string[] {
  const { definition, fields, title } = resource
  const { searchable } = definition
  if (searchable === undefined) return []
  const ofForm = checkForm(searchable)
  if (ofForm.length > 0) return ofForm
  const names = searchedNames(searchable, title)
  return [
    ...checkAny(names),
    ...checkTitle(names, { searchable, fields }),
    ...checkNames("fields", searchable.fields, (name) => checkSearched(name, fields)),
    ...checkNames("facets", searchable.facets, (name) => checkFacet(name, fields)),
    ...checkRelated(searchable, fields),
    ...checkWeights(searchable.weights, names),
  ]
}

// Checks the members' names and types. An author without TypeScript can write anything, so nothing else is looked at
// before these mistakes are gone.
function checkForm(searchable: SearchableDefinition): string[] {
  // The builder copies the members of its argument, and the first member of a list is "0".
  if (Object.hasOwn(searchable, 0)) return ['.searchable() takes an object. Write .searchable({ fields: ["body"] }).']
  const { fields, content, with: related, title, facets, weights } = searchable
  return [
    ...Object.keys(searchable)
      .filter((name) => !MEMBERS.includes(name))
      .map((name) => `.searchable() has no "${name}".${didYouMean(name, MEMBERS)}`),
    ...checkNameList("fields", fields, '["title"]'),
    ...checkNameList("facets", facets, '["section"]'),
    ...mistakeIf(content !== undefined && typeof content !== "function", CONTENT_MISTAKE),
    ...mistakeIf(
      title !== undefined && typeof title !== "string",
      "title of .searchable() is not the name of a field.",
    ),
    ...mistakeIf(
      related !== undefined && !isObject(related),
      "with of .searchable() is not an object. Write it as in a find: with: { author: true }.",
    ),
    ...mistakeIf(
      weights !== undefined && !isObject(weights),
      "weights of .searchable() is not an object. Write one such as { title: 5, body: 1 }.",
    ),
  ]
}

const CONTENT_MISTAKE =
  "content of .searchable() is not a function. Write one that returns text: content: ({ author }) => author?.name."

function checkNameList(member: string, names: unknown, example: string): string[] {
  const isList = Array.isArray(names) && names.every((name) => typeof name === "string")
  return mistakeIf(
    names !== undefined && !isList,
    `.searchable() needs a list of field names in ${member}. Write .searchable({ ${member}: ${example} }).`,
  )
}

function checkAny({ fields, hasContent }: SearchedNames): string[] {
  return mistakeIf(
    fields.length === 0 && !hasContent,
    '.searchable() names no text. Write .searchable({ fields: ["title"] }), or remove it.',
  )
}

interface Searched {
  readonly searchable: SearchableDefinition
  readonly fields: ReadonlyMap<string, ResourceField>
}

// The check of `.title()` reports the mistakes that any title can have, so that only those of a searched title remain.
function checkTitle({ title }: SearchedNames, { searchable, fields }: Searched): string[] {
  if (title === undefined) return []
  const field = fields.get(title)
  const isOwn = searchable.title !== undefined
  if (field === undefined) return isOwn ? [missingField("title of .searchable()", title, fields)] : []
  const mention = isOwn ? `title of .searchable() names the field "${title}"` : `.title() names the field "${title}"`
  if (field.type.operators !== "text" || !field.isStored) {
    const isReported = !isOwn && field.type.operators !== "text"
    const remedy = `Name a stored text field${isOwn ? "" : " in title of .searchable()"}.`
    return mistakeIf(!isReported, `${mention}, which is not stored text, so it cannot be searched. ${remedy}`)
  }
  if (!isOwn) return []
  if (field.hidden) return [`${mention}, which is hidden, so no caller could read it. Name another field.`]
  return unreadable(mention, field)
}

function checkNames(member: string, names: readonly string[] = [], check: (name: string) => string[]): string[] {
  const twice = names.filter((name, index) => names.indexOf(name) < index)
  return [
    ...[...new Set(names)].flatMap(check),
    ...twice.map((name) => `${member} of .searchable() names the field "${name}" twice. Remove one.`),
  ]
}

function checkSearched(name: string, fields: Searched["fields"]): string[] {
  const field = fields.get(name)
  if (field === undefined) return [missingField(".searchable()", name, fields)]
  const mention = `.searchable() names the field "${name}"`
  if (textFormOf(field) !== undefined) return unreadable(mention, field)
  const remedy = "Name a text field, or return the words to find in content: content: (record) => …."
  return [`${mention}, which is not stored text. ${remedy}`]
}

function checkFacet(name: string, fields: Searched["fields"]): string[] {
  const field = fields.get(name)
  const place = "facets of .searchable()"
  if (field === undefined) return [missingField(place, name, fields)]
  const mention = `${place} names the field "${name}"`
  if (field.hidden) return [`${mention}, which is hidden, so no caller could see its values. Remove it.`]
  if (isFacet(field)) return unreadable(mention, field)
  const allowed = "a select, a boolean, a number, a date, text, a list of texts or numbers, or a relation to one record"
  return [`${mention}, whose values cannot be counted. A facet is ${allowed}.`]
}

function unreadable(mention: string, { access }: ResourceField): string[] {
  return mistakeIf(
    access.read === false,
    `${mention}, whose read rule is false, so no caller could find or read it. Name another field, or change the rule.`,
  )
}

function checkRelated({ content, with: related }: SearchableDefinition, fields: Searched["fields"]): string[] {
  if (related === undefined) return []
  if (content === undefined)
    return ["with of .searchable() requests related records for content, which is missing. Add it, or remove with."]
  const parts = findParts(related, fields)
  const relations = [...fields.values()].filter(({ relation }) => relation !== undefined).map(({ name }) => name)
  return [
    ...Object.keys(related)
      .filter((name) => !relations.includes(name) && !parts.includes(name))
      .map((name) => `with of .searchable() names "${name}", which is not a relation.${didYouMean(name, relations)}`),
    ...parts.map(
      (path) =>
        `with of .searchable() names "${path}", a value with relations inside of it, which content cannot follow. Declare the relation as a field, or leave "${path}" out.`,
    ),
  ]
}

// Returns the paths of the fields in `with`, at any depth, that have relations in their values.
function findParts(related: object, fields: Searched["fields"]): string[] {
  return Object.entries(related).flatMap(([name, options]: [string, unknown]) => {
    const field = fields.get(name)
    if (field?.references.length) return [name]
    const inner = typeof options === "object" && options !== null && "with" in options ? options.with : undefined
    if (field?.relation === undefined || typeof inner !== "object" || inner === null) return []
    return findParts(inner, field.relation.target.fields).map((path) => `${name}.${path}`)
  })
}

function checkWeights(weights: SearchableDefinition["weights"], names: SearchedNames): string[] {
  if (weights === undefined) return []
  const known = names.hasContent ? [...names.fields, CONTENT_WEIGHT] : names.fields
  const unknown = Object.keys(weights).filter((name) => !known.includes(name))
  const bad = Object.entries(weights).filter(([, weight]) => weight !== undefined && !isWeight(weight))
  const different = distinctWeights(names, weights)
  return [
    ...unknown.map(
      (name) => `weights of .searchable() names "${name}", which is not searched.${didYouMean(name, known)}`,
    ),
    ...bad.map(([name]) => `the weight of "${name}" in .searchable() is not a number above 0. Write one such as 2.`),
    ...mistakeIf(
      bad.length === 0 && different.length > MAX_WEIGHTS,
      `.searchable() has ${different.length} different weights (${different.join(", ")}, with those that are not set). Use at most ${MAX_WEIGHTS}.`,
    ),
  ]
}

function isWeight(weight: unknown): boolean {
  return typeof weight === "number" && Number.isFinite(weight) && weight > 0
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function missingField(place: string, name: string, fields: Searched["fields"]): string {
  return `${place} names the field "${name}", which does not exist.${didYouMean(name, fields.keys())}`
}

function mistakeIf(isMistake: boolean, message: string): string[] {
  return isMistake ? [message] : []
}
