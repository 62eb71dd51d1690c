import { denied } from "../../../engine/access/authorize.ts"
import type { OperationContext } from "../../../engine/context/operation-context.ts"
import { observeReads } from "../../../engine/live/observe-reads.ts"
import type { ChannelContext, ChannelPublishContext, ChannelRule } from "../../../schema/builders/channel.ts"
import { ApiError } from "../../../wire/errors/api-error.ts"
import type { TopicAuthorization } from "../topics/authorized-topic.ts"
import type { RoomAddress } from "./channel-address.ts"
import { type SerializedData, serializeData } from "./serialized-data.ts"

/** The caller's permission to subscribe to a room, as decided by the channel's rules. Its key is that of the room. */
export interface ChannelPermission extends TopicAuthorization {
  /**
   * True if the channel's `subscribe` rule is a function that the author wrote. Its next result may differ even if no
   * data has changed.
   */
  readonly hasRuleFunction: boolean
  /** The caller's presence data, which the other room members see; undefined if the channel has no presence. */
  readonly presence: SerializedData | undefined
}

/** Evaluates the channel's `subscribe` rule. Throws if the caller may not subscribe to the room. */
export async function evaluateSubscribe(outer: OperationContext, address: RoomAddress): Promise<ChannelPermission> {
  const { definition, roomKey } = address
  const ruleDependencies = new Set<string>()
  const connection = observeReads(outer.connection, outer.schema, (resource) => ruleDependencies.add(resource))
  const ctx = { ...outer, connection }
  const { subscribe } = definition.access
  const context = contextOf(ctx, address)
  const isAllowed = await evaluateRule(subscribe, context, `subscribe of channel ${definition.name}`)
  if (!isAllowed) throw denied(ctx.session, `follow the channel "${definition.name}"`)
  // The tables that the author's `presence` function queries count as rule dependencies: when one of them changes,
  // `presence` runs again.
  const presence = definition.presence && serializeData(await definition.presence(context))
  return {
    key: roomKey,
    ruleDependencies,
    hasRuleFunction: typeof subscribe === "function",
    presence,
  }
}

/** Evaluates the channel's `publish` rule. Throws if the caller may not publish this event in the room. */
export async function evaluatePublish(ctx: OperationContext, address: RoomAddress, event: string): Promise<void> {
  const { definition } = address
  const context: ChannelPublishContext = Object.assign(contextOf(ctx, address), { event })
  const isAllowed = await evaluateRule(definition.access.publish, context, `publish of channel ${definition.name}`)
  if (!isAllowed) throw denied(ctx.session, `publish in the channel "${definition.name}"`)
}

// Adds the room's parameters to the handler context. `Object.assign` onto the context keeps the context's getters,
// while a spread would evaluate them.
function contextOf(ctx: OperationContext, { params }: RoomAddress): ChannelContext {
  return Object.assign(ctx.handlerFor(ctx), { params })
}

/** Evaluates a channel rule. Only the result `true` allows access; a rule that throws an error denies it. */
async function evaluateRule<Context extends ChannelContext>(
  rule: ChannelRule<Context> | undefined,
  context: Context,
  title: string,
): Promise<boolean> {
  if (typeof rule !== "function") return rule === true
  try {
    return (await rule(context)) === true
  } catch (error) {
    // A rule that could not reach the database has decided nothing, so the error is passed on and does not count as a
    // denial.
    if (error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE") throw error
    context.logger.error(`The access rule ${title} failed; access is denied.`, { error })
    return false
  }
}
