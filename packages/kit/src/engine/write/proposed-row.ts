import type { RowValues } from "../../ports/database.ts"
import type { Resource } from "../../schema/compile/resource.ts"
import { isAlways, isSameLink, type Predicate } from "../../sql/filter/predicate.ts"
import type { RowRules } from "../../sql/write/ruled-statement.ts"
import { evaluateRow } from "../../sql/write/write.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import { refuseFields } from "../access/field-rights.ts"
import type { WriteContext } from "../context/hook-context.ts"
import { type ChangedLinks, writtenLinks } from "./relations/link-changes.ts"
import type { NestedWrites } from "./relations/nested.ts"
import { deniedState, inThisState, type WriteRights } from "./rights.ts"

// No write is allowed because of itself. The statement that writes a row evaluates the rules on the row as it is
// proposed: with its new values and links, and with everything else as it was before the statement.

/** Returns the rules that the statement evaluates on the row; none if no rule depends on the row. */
export async function rulesOnProposedRow(
  ctx: WriteContext,
  nested: NestedWrites | undefined,
  rules: readonly Predicate[],
): Promise<RowRules> {
  if (rules.every(isAlways)) return []
  const links = nested ? await writtenLinks(ctx, nested, rules) : []
  return links.length === 0 ? rules : rules.map((rule) => withLinks(rule, links))
}

// Returns the rule with the links of the row as they will be. Only the row's own links change: those of the same
// relation that the rule reaches through another record stay as they are.
function withLinks(rule: Predicate, links: readonly ChangedLinks[]): Predicate {
  switch (rule.kind) {
    case "all":
    case "any":
      return { ...rule, parts: rule.parts.map((part) => withLinks(part, links)) }
    case "not":
      return { ...rule, part: withLinks(rule.part, links) }
    case "some": {
      const changed = links.find(({ relation }) => isSameLink(relation, rule.relation))
      return changed ? { ...rule, links: changed.change } : rule
    }
    default:
      return rule
  }
}

/** A row that is about to be written. */
interface ProposedRow {
  readonly resource: Resource
  readonly id: string
  readonly rights: WriteRights
  /** The rules that its statement has evaluated on it. */
  readonly rules: RowRules
}

/**
 * Throws if the rules refuse the proposed row. `written` is the row that the statement has returned: the id and the
 * verdicts. It is undefined if the statement has written nothing.
 */
export async function refuseProposedRow(
  ctx: WriteContext,
  row: ProposedRow,
  written: RowValues | undefined,
): Promise<void> {
  if (written === undefined || written.length === 1) return
  const { rights } = row
  const [, isAllowed, ...fields] = written
  if (!isAllowed) throw await refusalOf(ctx, row)
  refuseFields(rights.fields, fields, inThisState(rights.operation))
}

// Returns the error for a refused row. It says so if the rule would be satisfied by the row itself, because the author of
// the rule may not have thought of that.
async function refusalOf(ctx: WriteContext, { resource, id, rights, rules }: ProposedRow): Promise<ApiError> {
  const refused = deniedState(ctx, rights.operation)
  const { rows } = await ctx.connection.query(evaluateRow(resource, id, rules))
  if (rows[0]?.[0] !== true) return refused
  ctx.logger.warn(`A write was refused that satisfies the ${rights.operation} rule of "${resource.name}" by itself.`, {
    id,
  })
  const message = `${refused.message} The ${rights.operation} rule would only be satisfied by this very record.`
  return new ApiError(refused.code, { message })
}
