import { denied } from "../../engine/access/authorize.ts"
import { overheard } from "../../engine/access/overheard.ts"
import type { OperationContext } from "../../engine/context/operation-context.ts"
import { tablesMentioned } from "../../engine/live/named-tables.ts"
import type { ChannelContext, ChannelPublishContext, ChannelRule } from "../../schema/builders/channel.ts"
import { ApiError } from "../../wire/errors/api-error.ts"
import type { ChannelAddress } from "./channel-address.ts"
import { type WrittenData, writeData } from "./written-data.ts"

/** A right to follow a channel, as it was judged. */
export interface ChannelRead {
  /** The same for all who follow the same channel. */
  readonly key: string
  /** The keys of the resources that were asked when the right was judged. */
  readonly judgedBy: ReadonlySet<string>
  /** Whether code of the author's had a say: it may decide otherwise the next time. */
  readonly isJudged: boolean
  /** What others see of the caller; undefined where the channel shows nobody. */
  readonly shown: WrittenData | undefined
}

/** Judges whether the caller may follow the channel. */
export async function judgeSubscribe(outer: OperationContext, address: ChannelAddress): Promise<ChannelRead> {
  const { definition, place } = address
  const texts: string[] = []
  const ctx = { ...outer, connection: overheard(outer.connection, (text) => texts.push(text)) }
  const { subscribe } = definition.access
  const context = contextOf(ctx, address)
  const isAllowed = await judge(subscribe, context, `subscribe of channel ${definition.name}`)
  if (!isAllowed) throw denied(ctx.session, `follow the channel "${definition.name}"`)
  // What it asks counts as well: when that changes, it is asked again.
  const shown = definition.presence && writeData(await definition.presence(context))
  return {
    key: place,
    judgedBy: tablesMentioned(ctx.schema, texts),
    isJudged: typeof subscribe === "function",
    shown,
  }
}

/** Refuses a caller who may not publish. */
export async function judgePublish(ctx: OperationContext, address: ChannelAddress, event: string): Promise<void> {
  const { definition } = address
  const context: ChannelPublishContext = Object.assign(contextOf(ctx, address), { event })
  const isAllowed = await judge(definition.access.publish, context, `publish of channel ${definition.name}`)
  if (!isAllowed) throw denied(ctx.session, `publish in the channel "${definition.name}"`)
}

// The members of all contexts are getters, and stay where they are.
function contextOf(ctx: OperationContext, { params }: ChannelAddress): ChannelContext {
  return Object.assign(ctx.handlerFor(ctx), { params })
}

/** Only `true` allows; a rule that fails denies. */
async function judge<Context extends ChannelContext>(
  rule: ChannelRule<Context> | undefined,
  context: Context,
  title: string,
): Promise<boolean> {
  if (typeof rule !== "function") return rule === true
  try {
    return (await rule(context)) === true
  } catch (error) {
    // A rule that could not ask the database has not decided anything.
    if (error instanceof ApiError && error.code === "SERVICE_UNAVAILABLE") throw error
    context.logger.error(`The access rule ${title} failed; access is denied.`, { error })
    return false
  }
}
