import { denied } from "../../engine/access/authorize.ts"
import { observeStatements } from "../../engine/access/observe-statements.ts"
import type { OperationContext } from "../../engine/context/operation-context.ts"
import { tablesMentioned } from "../../engine/live/named-tables.ts"
import type { ChannelContext, ChannelPublishContext, ChannelRule } from "../../schema/builders/channel.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { RoomAddress } from "./channel-address.ts"
import { type SerializedData, serializeData } from "./serialized-data.ts"

/** The caller's permission to follow a room: the result of evaluating the rules of its channel. */
export interface ChannelPermission {
  /** Identifies the room; equal for all its subscribers. */
  readonly key: string
  /** The keys of the resources that the rules queried. A change to one of them may change the permission. */
  readonly ruleDependencies: ReadonlySet<string>
  /** True if the rule is a function of the author, which may decide differently the next time. */
  readonly hasRuleFunction: boolean
  /** The caller's presence data, which other members see; undefined if the channel has no presence. */
  readonly presence: SerializedData | undefined
}

/** Evaluates the `subscribe` rule. Throws if the caller may not follow the room. */
export async function evaluateSubscribe(outer: OperationContext, address: RoomAddress): Promise<ChannelPermission> {
  const { definition, roomKey } = address
  const texts: string[] = []
  const ctx = { ...outer, connection: observeStatements(outer.connection, (text) => texts.push(text)) }
  const { subscribe } = definition.access
  const context = contextOf(ctx, address)
  const isAllowed = await evaluateRule(subscribe, context, `subscribe of channel ${definition.name}`)
  if (!isAllowed) throw denied(ctx.session, `follow the channel "${definition.name}"`)
  // The queries of `presence` are dependencies too: when their tables change, it runs again.
  const presence = definition.presence && serializeData(await definition.presence(context))
  return {
    key: roomKey,
    ruleDependencies: tablesMentioned(ctx.schema, texts),
    hasRuleFunction: typeof subscribe === "function",
    presence,
  }
}

/** Evaluates the `publish` rule. Throws if the caller may not publish. */
export async function evaluatePublish(ctx: OperationContext, address: RoomAddress, event: string): Promise<void> {
  const { definition } = address
  const context: ChannelPublishContext = Object.assign(contextOf(ctx, address), { event })
  const isAllowed = await evaluateRule(definition.access.publish, context, `publish of channel ${definition.name}`)
  if (!isAllowed) throw denied(ctx.session, `publish in the channel "${definition.name}"`)
}

// `Object.assign` onto the context keeps its members as getters; a spread would evaluate them.
function contextOf(ctx: OperationContext, { params }: RoomAddress): ChannelContext {
  return Object.assign(ctx.handlerFor(ctx), { params })
}

/** Evaluates a rule. Only `true` allows; a rule that throws denies. */
async function evaluateRule<Context extends ChannelContext>(
  rule: ChannelRule<Context> | undefined,
  context: Context,
  title: string,
): Promise<boolean> {
  if (typeof rule !== "function") return rule === true
  try {
    return (await rule(context)) === true
  } catch (error) {
    // A rule that could not reach the database has not decided anything.
    if (error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE") throw error
    context.logger.error(`The access rule ${title} failed; access is denied.`, { error })
    return false
  }
}
