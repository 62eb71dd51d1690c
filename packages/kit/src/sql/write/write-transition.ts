import type { Statement } from "../../ports/database.ts"
import type { Resource, ResourceField } from "../../schema/compile/resource.ts"
import { quote } from "../text/fragment.ts"
import { activeCondition, assignments, storedValues, updateWithChanges } from "./write.ts"

interface RowTransition {
  readonly id: string
  readonly stage: string
  /** The user who is stored as the author of the new version. */
  readonly user: string | null
  readonly at: Date
}

/**
 * Sets the stage of a locked row. The update time of the row stays as it is, because a transition changes no data. The
 * new version has the time of the transition.
 */
export function transitionRow(resource: Resource, { id, stage, user, at }: RowTransition): Statement {
  const { workflow, versions } = resource
  if (workflow === undefined) throw new Error(`"${resource.name}" has no stages.`)
  const values = new Map<ResourceField, unknown>([[workflow.stage, stage]])
  if (versions) values.set(versions.user, user)
  const update = {
    set: assignments(resource, [...values.keys()]),
    where: `${quote(resource.id.name)} = $${values.size + 1}${activeCondition(resource)}`,
    kind: "transition",
    changed: values.keys(),
    ...(versions && { at: `$${values.size + 2}::timestamptz` }),
  } as const
  return {
    text: updateWithChanges(resource, update, []),
    values: [...storedValues(values), id, ...(versions ? [at] : [])],
    appendsChanges: true,
  }
}
