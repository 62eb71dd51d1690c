import { isProblem } from "../../../schema/compile/field-type.ts"
import type { Resource, ResourceField } from "../../../schema/compile/resource.ts"
import type { OperationContext } from "../../context/operation-context.ts"
import { type FieldInput, inputForRules } from "../input.ts"
import { type NestedWrites, takeNestedWrites } from "./nested.ts"

/** The input of a record that a nested write creates or updates. */
export interface NestedInput {
  readonly resource: Resource
  readonly data: unknown
  readonly isNew: boolean
  /** The id of the record that is updated. */
  readonly id?: string
  /** The position of the input in the input of the outer record. */
  readonly path: string
  /** The name of the field that the relation itself fills. */
  readonly filledField?: string | undefined
}

/** Returns the inputs of the nested writes in the input of a record. Nested writes that are malformed are left out. */
export function nestedInputsOf(
  ctx: OperationContext,
  { resource, data }: { readonly resource: Resource; readonly data: unknown },
): readonly NestedInput[] {
  // A hook may replace every value.
  if (resource.hooks.beforeValidate.length > 0) return []
  const values = parsedRelations(ctx, resource, inputForRules(data) ?? {})
  // As a write of the working copy, because the copy of a stage rejects some nested writes altogether.
  const nested = takeNestedWrites(resource.working ?? resource, values)
  if (nested === undefined) return []
  const inputs = [...nested.one.flatMap(inputsOfOne), ...nested.many.flatMap((many) => inputsOfMany(ctx, many))]
  // A file cannot be part of a JSON body, so records with a file are not created here.
  return inputs.filter(({ resource: target, isNew }) => !(isNew && target.upload))
}

function parsedRelations(
  ctx: OperationContext,
  resource: Resource,
  data: Readonly<Record<string, unknown>>,
): FieldInput {
  const values: FieldInput = new Map()
  for (const field of resource.fields.values()) {
    const given = Object.hasOwn(data, field.name) ? data[field.name] : undefined
    if (given === undefined || given === null || !mayHaveInput(ctx, field)) continue
    const parsed = field.type.parse(given)
    if (!isProblem(parsed)) values.set(field, parsed.value)
  }
  return values
}

function mayHaveInput(ctx: OperationContext, { system, hidden, readOnly }: ResourceField): boolean {
  return !system && (ctx.isSystem || !(hidden || readOnly))
}

function inputsOfOne({ field, input }: NestedWrites["one"][number]): NestedInput[] {
  if (field.target === undefined || !("create" in input)) return []
  return [{ resource: field.target, data: input.create, isNew: true, path: `${field.name}.create` }]
}

function inputsOfMany(
  ctx: OperationContext,
  { field, relation, input }: NestedWrites["many"][number],
): readonly NestedInput[] {
  const { target: resource } = relation
  const via = relation.kind === "hasMany" ? relation.via : undefined
  const updates = input.update.map(({ id, data }, index) => ({
    ...{ resource, id, data, isNew: false },
    path: `${field.name}.update.${index}.data`,
  }))
  // A relation whose foreign key is hidden cannot be changed from here.
  if (via?.hidden && !ctx.isSystem) return updates
  const creates = input.create.map((data, index) => ({
    ...{ resource, data, isNew: true, filledField: via?.name },
    path: `${field.name}.create.${index}`,
  }))
  return [...updates, ...creates]
}
