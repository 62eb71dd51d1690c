import { assertKnownKeys } from "../compile/assert-known-keys.ts"
import { findNameProblem } from "../compile/names.ts"
import {
  type AnySchema,
  isSchema,
  type SchemaInput,
  type SchemaOutput,
  type StandardSchema,
} from "../compile/validation.ts"
import type { HandlerContext } from "../context/handler-context.ts"

/** The names of the parameters that a channel's name contains in brackets: `roomId` in `room-[roomId]`. */
type ParamNames<Name extends string> = Name extends `${string}[${infer Param}]${infer Rest}`
  ? Param | ParamNames<Rest>
  : never

type ParamsOf<Name extends string> = [ParamNames<Name>] extends [never]
  ? Readonly<Record<string, never>>
  : { readonly [Param in ParamNames<Name>]: string }

/** The argument of a channel's access rules and of its `presence` function. */
export interface ChannelContext<Params = Readonly<Record<string, string>>> extends HandlerContext {
  /** The values of the parameters in the channel's name, such as `roomId` in `room-[roomId]`. */
  readonly params: Params
}

export interface ChannelPublishContext<Params = Readonly<Record<string, string>>, Event = string>
  extends ChannelContext<Params> {
  /** The event's name. The event's data is read only after the access rule has allowed the event. */
  readonly event: Event
}

type ChannelRuleResult = boolean | null | undefined | "" | 0

/** An access rule of a channel. Only `true` allows the operation. */
export type ChannelRule<Context> = boolean | ((context: Context) => ChannelRuleResult | Promise<ChannelRuleResult>)

interface ChannelRules<Params, Event> {
  /** Allows a caller to subscribe to the channel, and to be listed as one of its members. Denied unless set. */
  readonly subscribe?: ChannelRule<ChannelContext<Params>>
  /** Allows clients to publish events to the channel. Denied unless set. Server code may always publish. */
  readonly publish?: ChannelRule<ChannelPublishContext<Params, Event>>
}

type EventSchemas = Readonly<Record<string, AnySchema>>

/** The argument for publishing one of a channel's events. `params` is required if the channel's name has parameters. */
type MessageOf<Name extends string, Events extends EventSchemas> = {
  readonly [Event in keyof Events & string]: {
    readonly event: Event
    readonly data: SchemaInput<Events[Event]>
  } & ([ParamNames<Name>] extends [never] ? { readonly params?: ParamsOf<Name> } : { readonly params: ParamsOf<Name> })
}[keyof Events & string]

/** One of a channel's events, as a subscriber gets it. */
type EventOf<Events extends EventSchemas> = {
  readonly [Event in keyof Events & string]: {
    readonly event: Event
    readonly data: SchemaOutput<Events[Event]>
    readonly eventId: string
  }
}[keyof Events & string]

/** The checked declaration of a channel. */
export interface ChannelDefinition {
  readonly kind: "channel"
  /** The channel's name. It is stored with each event, so events stay valid when the channel's file is renamed. */
  readonly name: string
  /** The names of the parameters that the channel's name contains in brackets, in order. */
  readonly params: readonly string[]
  readonly events: ReadonlyMap<string, StandardSchema>
  readonly access: {
    readonly subscribe?: ChannelRule<ChannelContext>
    readonly publish?: ChannelRule<ChannelPublishContext>
  }
  /** Returns the data about a member that the other members see. If undefined, the channel has no presence. */
  readonly presence: ((context: ChannelContext) => unknown) | undefined
}

/** A channel, as its file exports it. Each method returns a new frozen channel. */
export class Channel<Name extends string = string, Events extends EventSchemas = EventSchemas, Member = unknown> {
  readonly definition: ChannelDefinition
  /** Exists only at compile time: the types that the generated code reads. */
  declare readonly types: {
    readonly params: ParamsOf<Name>
    readonly message: MessageOf<Name, Events>
    readonly event: EventOf<Events>
    readonly member: Member
  }

  constructor(definition: ChannelDefinition) {
    this.definition = Object.freeze(definition)
    Object.freeze(this)
  }

  /** Declares the channel's events by name, each with a schema for its data. Any Standard Schema library works. */
  events<Added extends EventSchemas>(events: Added): Channel<Name, Added, Member> {
    const { name } = this.definition
    return new Channel({ ...this.definition, events: new Map(checkedEvents(name, events)) })
  }

  /** Sets the access rules for subscribing and for publishing. An operation without a rule is denied. */
  access(rules: ChannelRules<ParamsOf<Name>, keyof Events & string>): this {
    assertKnownKeys(`access of channel "${this.definition.name}"`, rules, ["subscribe", "publish"])
    // The cast is safe: rules are called only with the parameters in the channel's name, and with declared events.
    return this.#with({ access: Object.freeze({ ...rules }) as ChannelDefinition["access"] })
  }

  /**
   * Lets the members of a room see each other; a room is the channel with one set of parameter values. The function
   * `make` returns the data about the caller that the other members see.
   */
  presence<Shown>(
    make: (context: ChannelContext<ParamsOf<Name>>) => Shown | Promise<Shown>,
  ): Channel<Name, Events, Shown> {
    if (typeof make !== "function") throw new TypeError(".presence() takes a function: ({ session }) => ({ … }).")
    return new Channel({ ...this.definition, presence: make as ChannelDefinition["presence"] })
  }

  #with(change: Partial<ChannelDefinition>): this {
    // The cast is safe: Channel has no subclasses, and no method that returns `this` changes Channel's type parameters.
    return new Channel({ ...this.definition, ...change }) as this
  }
}

const NAME = /^(?:[a-zA-Z0-9_.:-]|\[[a-zA-Z]\w*\])+$/
const MAX_NAME_CHARACTERS = 100

/**
 * Declares a channel. Clients, and `channels` in server code, refer to it by the name of its file.
 *
 * export default channel("room-[roomId]").events({ message: z.object({ text: z.string() }) }).access({ subscribe: true })
 */
export function channel<const Name extends string>(name: Name): Channel<Name, Record<never, never>, never> {
  if (typeof name !== "string" || !NAME.test(name) || name.length > MAX_NAME_CHARACTERS) {
    const use = "letters, digits, . _ : - and parameters in brackets"
    throw new TypeError(`"${name}" is not a valid channel name. Use up to 100 ${use}, such as "room-[roomId]".`)
  }
  const params = Array.from(name.matchAll(/\[(\w+)\]/g), ([, param = ""]) => param)
  for (const [index, param] of params.entries()) {
    const problem = params.indexOf(param) < index ? `has "[${param}]" twice.` : findNameProblem(param)
    if (problem !== undefined) throw new TypeError(`Channel "${name}": ${problem}`)
  }
  return new Channel({ kind: "channel", name, params, events: new Map(), access: {}, presence: undefined })
}

function* checkedEvents(name: string, events: EventSchemas): Generator<[string, StandardSchema]> {
  for (const [event, schema] of Object.entries(events)) {
    const problem = findNameProblem(event)
    if (problem !== undefined) throw new TypeError(`Event of channel "${name}": ${problem}`)
    if (!isSchema(schema)) {
      throw new TypeError(
        `Event "${event}" of channel "${name}" needs a Standard Schema, such as z.object({ … }) of zod.`,
      )
    }
    yield [event, schema]
  }
}
