import { isDerived } from "../../schema/compile/field-type.ts"
import type { Resource, ResourceField, ResourceWorkflow, Stage } from "../../schema/compile/resource.ts"
import type { ResourceMeta, StageMeta } from "../../wire/results/introspection.ts"
import type { KnownNames } from "./known-rights.ts"
import { singularOf, type Texts } from "./texts.ts"

/** Returns the short description of the resource for a caller who may know these names. */
export function describeMeta(resource: Resource, known: KnownNames, texts: Texts): ResourceMeta {
  const fields = knownFields(resource, known)
  const namesOf = (test: (field: ResourceField) => boolean) => fields.filter(test).map(({ name }) => name)
  return {
    name: resource.name,
    ...labels(resource, texts),
    title: titleMeta(resource, known),
    fields: fields.map((field) => ({
      name: field.name,
      localized: field.localized !== undefined,
      virtual: isDerived(field.type),
    })),
    localizedFields: namesOf(({ localized }) => localized !== undefined),
    virtualFields: namesOf(({ type }) => isDerived(type)),
    relations: namesOf(({ relation }) => relation !== undefined),
    timestamps: resource.createdAt !== undefined,
    softDelete: resource.deletedAt !== undefined,
    versioning: resource.versions !== undefined,
    revision: resource.revision !== undefined,
    id: resource.id.system ? "server" : "client",
    upload: resource.upload ? { maxSize: resource.upload.maxBytes, types: resource.upload.types ?? null } : null,
    search: searchMeta(resource, known),
    workflow: resource.workflow ? workflowMeta(resource.workflow, known, texts) : { enabled: false },
  }
}

/** Returns the fields of the resource that the caller may know, in the order of the resource. */
export function knownFields(resource: Resource, { fields }: Pick<KnownNames, "fields">): readonly ResourceField[] {
  return [...resource.fields.values()].filter(({ name }) => fields.has(name))
}

/** Returns the label of the resource, and that of one record. */
export function labels(
  { name, kind, presentation }: Resource,
  texts: Texts,
): { readonly label: string; readonly singularLabel: string } {
  const label = texts.label(presentation.label, name)
  const declared = texts.find(presentation.singularLabel)
  // An author's label can be of any language. A name is English, as code is.
  const ofOne = presentation.label === undefined && kind === "collection" ? singularOf(label) : label
  return { label, singularLabel: declared ?? ofOne }
}

// Returns the name of the field that represents a record, if the caller may read the field.
function readableTitle({ title }: Resource, { fields }: Pick<KnownNames, "fields">): string | null {
  return title !== undefined && fields.get(title)?.read ? title : null
}

function titleMeta(resource: Resource, known: KnownNames): ResourceMeta["title"] {
  const fieldName = readableTitle(resource, known)
  return fieldName === null ? { defined: false } : { defined: true, type: "field", fieldName }
}

function searchMeta({ search, id }: Resource, { fields }: KnownNames): ResourceMeta["search"] {
  const isReadable = (field: ResourceField) => Boolean(fields.get(field.name)?.read)
  if (search === undefined || !isReadable(id)) return null
  return { facets: search.facets.filter(isReadable).map(({ name }) => name) }
}

function workflowMeta(workflow: ResourceWorkflow, { stages }: KnownNames, texts: Texts): ResourceMeta["workflow"] {
  const known = [...workflow.stages.values()].filter(({ name }) => stages.has(name))
  return {
    enabled: true,
    initialStage: stages.has(workflow.initial) ? workflow.initial : null,
    publicStage: workflow.public,
    stages: known.map((stage) => stageMeta(stage, { stages, texts })),
  }
}

/** Returns the description of a stage, with the transitions to the given stages. */
export function stageMeta(
  { name, to, presentation }: Stage,
  { stages, texts }: { readonly stages: ReadonlySet<string>; readonly texts: Texts },
): StageMeta {
  return {
    name,
    label: texts.label(presentation.label, name),
    description: texts.find(presentation.description),
    color: presentation.color ?? null,
    transitions: [...to].filter((stage) => stages.has(stage)),
  }
}
