import type { Resource, ResourceWorkflow } from "../../schema/compile/resource.ts"
import { inputSchema } from "../../schema/json-schema/input-schema.ts"
import type { CollectionMeta, CollectionSchema, GlobalMeta, GlobalSchema } from "../../wire/results/introspection.ts"
import { together } from "./caller-rights.ts"
import { describeFields, describeRelations } from "./describe-fields.ts"
import { describeForm, describeList } from "./describe-layout.ts"
import { describeMeta, labels, stageMeta } from "./describe-meta.ts"
import type { KnownRights } from "./known-rights.ts"
import type { Texts } from "./texts.ts"

type ResourceDescription = Omit<CollectionSchema, "hash"> | Omit<GlobalSchema, "hash">

/** Returns the full description of the resource for a caller with these rights, without its hash. */
export function describeResource(resource: Resource, known: KnownRights, texts: Texts): ResourceDescription {
  const { presentation, workflow } = resource
  const { operations } = known
  const described = {
    name: resource.name,
    ...labels(resource, texts),
    description: texts.find(presentation.description),
    icon: presentation.icon ?? null,
    group: texts.find(presentation.group),
    fields: describeFields(resource, known, texts),
    relations: describeRelations(resource, known),
    access: { visible: true, level: together(Object.values(operations)), operations },
    workflow: workflow ? { stages: describeStages(workflow, known, texts) } : null,
    list: describeList(resource, known, texts),
    form: describeForm(resource, known, texts),
    preview: presentation.preview !== undefined,
    validation: describeInputs(resource, known),
  } as const
  const meta = describeKind(resource, known, texts)
  return meta.kind === "collection"
    ? { ...described, kind: meta.kind, options: meta }
    : { ...described, kind: meta.kind, options: meta }
}

/** Returns the short description of the resource, with its kind. */
export function describeKind(
  resource: Resource,
  known: Pick<KnownRights, "fields" | "stages">,
  texts: Texts,
): CollectionMeta | GlobalMeta {
  return { kind: resource.kind, ...describeMeta(resource, known, texts) }
}

// Returns the JSON Schemas of the inputs, with the fields that the caller may write. There is none for an operation
// that the caller may not do. The first write of a global is an update that has to contain the required fields.
function describeInputs(resource: Resource, { operations, fields }: KnownRights): CollectionSchema["validation"] {
  const writable = (operation: "create" | "update") =>
    new Set([...resource.fields.values()].filter(({ name }) => fields.get(name)?.[operation]))
  const first = resource.kind === "global" ? "update" : "create"
  const mayInsert = operations[first] || operations.upload
  return {
    insert: mayInsert ? inputSchema(resource, { fields: writable(first), operation: "insert" }) : null,
    update: operations.update ? inputSchema(resource, { fields: writable("update"), operation: "update" }) : null,
  }
}

function describeStages(workflow: ResourceWorkflow, { stages, transitions }: KnownRights, texts: Texts) {
  const open = new Set([...stages].filter((stage) => transitions.get(stage)))
  const known = [...workflow.stages.values()].filter(({ name }) => stages.has(name))
  return known.map((stage) => ({
    ...stageMeta(stage, { stages: open, texts }),
    access: transitions.get(stage.name) ?? false,
  }))
}
