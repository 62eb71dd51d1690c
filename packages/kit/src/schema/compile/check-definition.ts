import { didYouMean } from "../../wire/errors/did-you-mean.ts"
import { ACCESS_OPERATIONS } from "../access/access.ts"
import type { ResourceDefinition } from "../builders/definition.ts"
import { Field } from "../builders/field.ts"
import { HOOK_NAMES } from "../builders/hooks.ts"
import { STORED_FILE_FIELDS } from "../builders/upload-options.ts"
import { checkCollaborativeOptions } from "../documents/check-collaborative.ts"
import { ToManyField } from "../fields/relation.ts"
import { CHANGED_SINCE_PUBLISHED } from "../workflow/changed-since-published.ts"
import { checkVersionsOption } from "../workflow/versions.ts"
import { checkWorkflowOption } from "../workflow/workflow.ts"
import { checkField, isIndexedByLocale } from "./check-field.ts"
import { checkUpload } from "./check-upload.ts"
import { checkUsers } from "./check-users.ts"
import { isDerived } from "./field-type.ts"
import { findFieldNameProblem, findResourceNameProblem } from "./names.ts"

/** Returns the mistakes in the definition of one resource, as sentences for the author. */
export function checkDefinition(definition: ResourceDefinition): readonly string[] {
  return [
    ...checkName(definition),
    ...checkFields(definition),
    ...checkAccess(definition),
    ...checkHooks(definition),
    ...checkOptions(definition),
    ...checkCollaborativeOptions(definition),
    ...checkTitle(definition),
    ...checkIndexes(definition),
    ...checkVirtuals(definition),
    ...checkRenames(definition),
    ...checkUsers(definition),
    ...checkUpload(definition),
  ]
}

function checkName({ kind, name }: ResourceDefinition): string[] {
  const problem = findResourceNameProblem(name)
  return problem === undefined ? [] : [`${kind}: ${problem}`]
}

function checkFields({ kind, name, fields, options, upload }: ResourceDefinition): string[] {
  const named = Object.entries(fields)
  if (named.length === 0 && !upload)
    return [`${kind} "${name}" has no fields. Add .fields(({ f }) => ({ title: f.text() })).`]
  return [
    ...named.flatMap(([fieldName, field]) => checkNamedField(fieldName, field)),
    ...(options.workflow && Object.hasOwn(fields, CHANGED_SINCE_PUBLISHED) ? [TAKEN_WITH_STAGES] : []),
  ]
}

const TAKEN_WITH_STAGES = `field "${CHANGED_SINCE_PUBLISHED}": with the option "workflow", the server has a field with this name. Choose another.`

function checkNamedField(name: string, field: Field): string[] {
  const problem = findFieldNameProblem(name)
  const named = `field "${name}"`
  if (!(field instanceof Field)) return [`${named} ${describeNonField(field)}`]
  return [
    ...(problem === undefined ? [] : [`${named}: ${problem}`]),
    ...checkField(field).map((text) => `${named} ${text}`),
  ]
}

// Describes a value that is not a field. It may be a field from another copy of kit, which a dependency has installed.
function describeNonField(given: unknown): string {
  const isOfOtherKit = typeof given === "object" && given !== null && "traits" in given && "compile" in given
  return isOfOtherKit
    ? "was made by another copy of kit, which a package that this file imports brings along. Keep one of them: npm ls kit shows which package depends on which copy."
    : "is not a field. Write it as a call such as f.text()."
}

function checkAccess({ access }: ResourceDefinition): string[] {
  return Object.entries(access).flatMap(([operation, rule]) => {
    if (!ACCESS_OPERATIONS.some((known) => known === operation)) {
      return [`access has no operation "${operation}".${didYouMean(operation, ACCESS_OPERATIONS)}`]
    }
    const isRule = rule === undefined || typeof rule === "boolean" || typeof rule === "function"
    return isRule ? [] : [`the access rule "${operation}" must be true, false or a function.`]
  })
}

function checkHooks({ hooks }: ResourceDefinition): string[] {
  return Object.entries(hooks).flatMap(([name, given]) => {
    if (!HOOK_NAMES.some((known) => known === name)) {
      return [`.hooks() has no hook "${name}".${didYouMean(name, HOOK_NAMES)}`]
    }
    const list: readonly unknown[] = Array.isArray(given) ? given : [given]
    const isFine = given === undefined || list.every((hook) => typeof hook === "function")
    return isFine ? [] : [`the hook "${name}" must be a function or a list of functions.`]
  })
}

const OPTION_NAMES = ["timestamps", "revision", "softDelete", "versions", "workflow", "id"]

function checkOptions({ kind, options, upload }: ResourceDefinition): string[] {
  if (kind === "global" && options.softDelete) return ['a global is never deleted. Remove the option "softDelete".']
  if (upload && options.workflow) return ['a collection of files cannot have stages. Remove the option "workflow".']
  if (kind === "global" && options.id) return ['a global has no id. Remove the option "id".']
  return Object.entries(options).flatMap(([name, value]) => {
    if (!OPTION_NAMES.includes(name)) return [`.options() has no option "${name}".${didYouMean(name, OPTION_NAMES)}`]
    if (name === "id") return checkIdOption(value)
    if (name === "versions") return checkVersionsOption(value)
    if (name === "workflow") return checkWorkflowOption(value)
    const isFlag = value === undefined || typeof value === "boolean"
    return isFlag ? [] : [`the option "${name}" must be true or false.`]
  })
}

function checkIdOption(value: unknown): string[] {
  return value === undefined || value === "client" ? [] : ['the option "id" must be "client", or left out.']
}

// Checks that the field in .title() exists, is text, and can be read by someone.
function checkTitle({ title, fields }: ResourceDefinition): string[] {
  if (title === undefined) return []
  const field = Object.hasOwn(fields, title) ? fields[title] : undefined
  if (field === undefined) return [missingField(".title()", title, Object.keys(fields))]
  // The check of the fields reports a value that is not a field.
  if (!(field instanceof Field)) return []
  const mention = `.title() names the field "${title}"`
  if (field.compile().operators !== "text") return [`${mention}, which is not text. Name a text field.`]
  if (field.traits.hidden) {
    return [`${mention}, which is hidden, so no caller could find or read it. Name another field, or remove .hidden().`]
  }
  if (field.traits.access?.read !== false) return []
  return [
    `${mention}, whose read rule is false, so no caller could find or read it. Name another field, or change the rule.`,
  ]
}

function checkIndexes(definition: ResourceDefinition): string[] {
  const { indexes } = definition
  const indexable = storedNames(definition)
  return indexes.flatMap((index) => {
    if (index.fields.length === 0) return [".indexes() has an index without fields. Name them, or remove it."]
    const missing = index.fields.filter((name) => !indexable.includes(name))
    const unfit = index.fields.filter((name) => isUnfitForIndex(definition.fields[name]))
    return [
      ...missing.map((name) => missingField(".indexes()", name, indexable)),
      ...unfit.map(
        (name) =>
          `.indexes() names the field "${name}", which is localized and of a type that cannot have an index by locale. Remove it.`,
      ),
    ]
  })
}

function isUnfitForIndex(field: unknown): boolean {
  return field instanceof Field && field.traits.localized && !isIndexedByLocale(field.compile().sqlType)
}

// Checks that every column to which the SQL of a virtual field refers exists.
function checkVirtuals(definition: ResourceDefinition): string[] {
  const known = ["id", ...storedNames(definition)]
  return Object.entries(definition.fields).flatMap(([name, field]) => {
    const expression = (field instanceof Field && field.compile().expression) || []
    const columns = expression.flatMap((part) => ("column" in part ? [part.column] : []))
    const missing = columns.filter((column) => !known.includes(column))
    return missing.map((column) => missingField(`the SQL of the field "${name}"`, column, known))
  })
}

function storedNames({ fields, options, upload }: ResourceDefinition): string[] {
  const authored = Object.keys(fields).filter((name) => !isUnstored(fields[name]))
  const stored = upload ? [...authored, ...STORED_FILE_FIELDS] : authored
  const timestamps = options.timestamps === false ? [] : ["createdAt", "updatedAt"]
  return [...stored, ...timestamps, ...(options.softDelete ? ["deletedAt"] : [])]
}

function isUnstored(field: unknown): boolean {
  return field instanceof ToManyField || (field instanceof Field && isDerived(field.compile()))
}

function checkRenames({ renamedFrom, fields }: ResourceDefinition): string[] {
  const own = renamedFrom === undefined ? undefined : findResourceNameProblem(renamedFrom)
  const named = Object.entries(fields).filter(([, field]) => field instanceof Field)
  const taken = new Set(named.map(([name]) => name))
  const ofFields = named.flatMap(([name, { traits }]) => {
    if (traits.renamedFrom === undefined) return []
    const problem = findFieldNameProblem(traits.renamedFrom)
    if (problem !== undefined) return [`field "${name}" has a .renamedFrom(…): ${problem}`]
    const isFree = taken.size !== taken.add(traits.renamedFrom).size
    if (isFree) return []
    return [
      `field "${name}" was renamed from "${traits.renamedFrom}", which still exists, or which another field was renamed from too. Remove .renamedFrom(…).`,
    ]
  })
  return own === undefined ? ofFields : [`.renamedFrom(…): ${own}`, ...ofFields]
}

function missingField(place: string, name: string, known: readonly string[]): string {
  return `${place} names the field "${name}", which does not exist.${didYouMean(name, known)}`
}
