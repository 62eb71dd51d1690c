import { accessByLinks } from "../../engine/access/link-rules.ts"
import type { Session } from "../../ports/session-provider.ts"
import type { AppSchema, ManyToMany, Resource, ResourceField } from "../../schema/compile/resource.ts"
import { withoutRequest } from "./without-request.ts"

/** A many-to-many relation whose links a write rule follows, and the field at its other end. */
interface RuledLinks {
  /** The collection whose rule follows the links. */
  readonly ruled: string
  readonly field: string
  readonly other: string
  readonly otherField: string
}

const NO_ID = "00000000-0000-0000-0000-000000000000"
const SOMEBODY: Session = { user: { id: NO_ID } }

/**
 * Returns the links that a write rule follows, and that can be changed from the other end, too. The rules are evaluated
 * for somebody who has signed in and has no role. Rules that read the database are left out, because there is none.
 */
export async function ruledLinks(schema: AppSchema): Promise<readonly RuledLinks[]> {
  const found: RuledLinks[] = []
  for (const resource of schema.resources) {
    for (const { name, relation } of linkFields(resource)) {
      const otherField = otherEnd(relation)
      if (otherField === undefined) continue
      const links = { table: relation.link.table, id: NO_ID }
      const access = await withoutRequest(schema, (ctx) => accessByLinks(ctx, resource, links), SOMEBODY)
      if (access) found.push({ ruled: resource.name, field: name, other: relation.target.name, otherField })
    }
  }
  return found
}

interface LinkField extends ResourceField {
  readonly relation: ManyToMany
}

function linkFields({ fields }: Resource): LinkField[] {
  return [...fields.values()].filter((field): field is LinkField => field.relation?.kind === "manyToMany")
}

function otherEnd({ target, link }: ManyToMany): string | undefined {
  return linkFields(target).find(
    ({ relation }) => relation.link.table === link.table && relation.link.own === link.other,
  )?.name
}
