import type { ChannelDefinition } from "../../../schema/builders/channel.ts"
import type { Mistake } from "../../../schema/compile/compile.ts"
import { findNameProblem } from "../../../schema/compile/names.ts"

/** A channel and the file that declares it. */
export interface SourcedChannel {
  readonly file: string
  /** The channel's property name in the `channels` object, taken from the name of the file. */
  readonly key: string
  readonly definition: ChannelDefinition
}

export type CompiledChannels = ReadonlyMap<string, ChannelDefinition>

/** Returns the valid channels by their file names, and the mistakes found in the other channel files. */
export function compileChannels(sources: readonly SourcedChannel[]): {
  readonly channels: CompiledChannels
  readonly mistakes: readonly Mistake[]
} {
  const accepted: SourcedChannel[] = []
  const mistakes: Mistake[] = []
  for (const source of sources) {
    const message = findKeyProblem(source, accepted) ?? findProblem(source, accepted)
    if (message === undefined) accepted.push(source)
    else mistakes.push({ file: source.file, message })
  }
  return { channels: new Map(accepted.map(({ key, definition }) => [key, definition])), mistakes }
}

function findKeyProblem({ key }: SourcedChannel, others: readonly SourcedChannel[]): string | undefined {
  const other = others.find((known) => known.key === key)
  if (other) return `channel "${key}" is already declared in ${other.file}. Rename one of the files.`
  // A channel named "then" is refused: `await` would take the `channels` object for a promise, because it has a `then`
  // member.
  const problem = key === "then" ? 'the name "then" belongs to promises. Rename the file.' : findNameProblem(key)
  return problem && `clients access a channel by the name of its file, and ${problem}`
}

function findProblem({ definition }: SourcedChannel, others: readonly SourcedChannel[]): string | undefined {
  const { name, events, presence } = definition
  if (events.size === 0 && presence === undefined) {
    return `channel "${name}" has no events. Write .events({ message: z.object({ … }) }).`
  }
  const other = others.find((known) => known.definition.name === name)
  return (
    other &&
    `the channel in ${other.file} is called "${name}" too. Give each a unique name: events are stored under it.`
  )
}
