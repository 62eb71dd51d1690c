import type { Command, Section } from "./command.ts"
import { matchesWords } from "./matching.ts"

const MAX_PLACES = 6
const MAX_ACTIONS = 8

interface SectionTitles {
  readonly recent: string
  readonly goTo: string
  readonly actions: string
}

interface Offered {
  /** The words for which was searched; none while nothing is typed. */
  readonly words: readonly string[]
  readonly places: readonly Command[]
  readonly views: readonly Command[]
  readonly actions: readonly Command[]
  /** Actions with the typed text itself. */
  readonly textActions: readonly Command[]
  /** The records that were open last. */
  readonly recent: readonly Command[]
  /** The found records, by the label of their collection. */
  readonly records: readonly Section[]
  readonly titles: SectionTitles
}

/**
 * Arranges what the palette shows. Places come before records, because they are there immediately: the first one does
 * not move away while the records are read.
 */
export function arrangeSections({ words, ...offered }: Offered): readonly Section[] {
  const { titles, places, views, actions, recent, records, textActions } = offered
  if (words.length === 0) {
    return withContent([
      { title: titles.recent, commands: recent },
      { title: titles.goTo, commands: [...places, ...views] },
      { title: titles.actions, commands: actions },
    ])
  }
  const isMatch = ({ label, hint = "" }: Command) => matchesWords(`${label} ${hint}`, words)
  return withContent([
    { title: titles.goTo, commands: [...places, ...views].filter(isMatch).slice(0, MAX_PLACES) },
    ...records,
    { title: titles.actions, commands: [...actions.filter(isMatch).slice(0, MAX_ACTIONS), ...textActions] },
  ])
}

function withContent(sections: readonly Section[]): readonly Section[] {
  return sections.filter(({ commands }) => commands.length > 0)
}

/** True if something has the typed words in its name. What can be done with any text does not count. */
export function hasMatches(sections: readonly Section[]): boolean {
  return sections.some(({ commands }) => commands.some(({ isForAnyText }) => isForAnyText !== true))
}

/** Returns the command that is chosen: the one that the person went to, or the first one. */
export function activeCommand(sections: readonly Section[], id: string | null): Command | undefined {
  const all = sections.flatMap(({ commands }) => commands)
  return all.find((command) => command.id === id) ?? all[0]
}

/** Returns the id of the command some steps further, from the last one to the first one. */
export function stepFrom(sections: readonly Section[], id: string | null, step: number): string | null {
  const all = sections.flatMap(({ commands }) => commands)
  const at = Math.max(
    0,
    all.findIndex((command) => command.id === id),
  )
  return all.at((at + step) % all.length)?.id ?? null
}
