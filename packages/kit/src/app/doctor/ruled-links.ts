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
  for (const links of schema.resources.flatMap(linksOf)) {
    if (await areRuled(schema, links)) found.push(links.named)
  }
  return found
}

/** A many-to-many relation that both of its ends can change. */
interface SharedLinks {
  readonly resource: Resource
  readonly table: string
  readonly named: RuledLinks
}

function linksOf(resource: Resource): readonly SharedLinks[] {
  return linkFields(resource).flatMap(({ name: field, relation }) => {
    const otherField = otherEnd(relation)
    if (otherField === undefined) return []
    const named = { ruled: resource.name, field, other: relation.target.name, otherField }
    return [{ resource, table: relation.link.table, named }]
  })
}

async function areRuled(schema: AppSchema, { resource, table }: SharedLinks): Promise<boolean> {
  const access = await withoutRequest(schema, (ctx) => accessByLinks(ctx, resource, { table, id: NO_ID }), SOMEBODY)
  return access !== undefined
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
