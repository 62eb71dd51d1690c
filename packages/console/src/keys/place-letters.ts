/** A place that a letter leads to after `g`. */
interface NamedPlace {
  readonly path: string
  readonly label: string
  /** Used if the label has no letter of a plain keyboard. */
  readonly name: string
}

/**
 * Returns the letter of each place, by the path of the place: the first letter of its name that no place before it has.
 * A place whose letters are all taken has none.
 */
export function placeLetters(places: readonly NamedPlace[]): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  const letters = new Map<string, string>()
  for (const { path, label, name } of places) {
    const free = [...plainLetters(label), ...plainLetters(name)].find((letter) => !taken.has(letter))
    if (free === undefined) continue
    taken.add(free)
    letters.set(path, free)
  }
  return letters
}

// The beginnings of words come first: they are easier to remember.
function plainLetters(text: string): readonly string[] {
  const words = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .split(/[^a-z0-9]+/)
  return [...words.map((word) => word.charAt(0)), ...words.join("")].filter((letter) => letter !== "")
}
