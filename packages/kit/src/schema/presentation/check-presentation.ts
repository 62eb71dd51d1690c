import type { ResourceDefinition } from "../builders/definition.ts"
import type { KnownLocales } from "../compile/locales.ts"
import type { Resource } from "../compile/resource.ts"
import { checkFieldPresentation } from "./check-field-presentation.ts"
import { checkForm } from "./check-form.ts"
import { checkList } from "./check-list.ts"
import { checkChoice, checkIcon, checkText, isObject } from "./check-text.ts"
import { NamedFields } from "./named-fields.ts"

interface Presented {
  readonly definition: ResourceDefinition
  /** The compiled resource, whose fields include those of the server. */
  readonly resource: Pick<Resource, "fields">
}

/** Returns the mistakes in what an author says about a resource for people, except for those in filters. */
export function checkPresentation({ definition, resource }: Presented, locales: KnownLocales): readonly string[] {
  const { presentation } = definition
  const checks = { fields: new NamedFields(resource), locales }
  return [
    ...checkResourceTexts(definition, locales),
    ...checkIcon(".icon()", presentation.icon),
    ...checkList(presentation.list, checks),
    ...checkForm(presentation.form, checks),
    ...checkPreview(presentation.preview),
    ...checkFields(definition, locales),
    ...checkStages(definition, locales),
  ]
}

function checkResourceTexts({ presentation, kind }: ResourceDefinition, locales: KnownLocales): string[] {
  const { label, singularLabel, description, group } = presentation
  const texts = {
    [`the label of the ${kind}`]: label,
    [`the label of one record of the ${kind}`]: singularLabel,
    [`the description of the ${kind}`]: description,
    [`the group of the ${kind}`]: group,
  }
  return Object.entries(texts).flatMap(([place, value]) => checkText({ place, value }, locales))
}

function checkPreview(preview: unknown): string[] {
  if (preview === undefined || typeof preview === "function") return []
  return [".preview() takes a function that returns an address, such as ({ record }) => record.url."]
}

function checkFields({ fields }: ResourceDefinition, locales: KnownLocales): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    checkFieldPresentation(`the field "${name}"`, field, locales),
  )
}

function checkStages({ options }: ResourceDefinition, locales: KnownLocales): string[] {
  const workflow: unknown = options.workflow
  const stages = isObject(workflow) && isObject(workflow["stages"]) ? Object.entries(workflow["stages"]) : []
  return stages.flatMap(([name, stage]) => (isObject(stage) ? checkChoice(`the stage "${name}"`, stage, locales) : []))
}
