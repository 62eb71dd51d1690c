const MAX_DISTANCE = 3

/** Returns a sentence that suggests the known name closest to `name`, or lists the known names if they are few. */
export function didYouMean(name: string, known: Iterable<string>, prefix = ""): string {
  const names = [...known]
  const closest = closestName(name, names)
  if (closest !== undefined) return ` Did you mean "${prefix}${closest}"?`
  return names.length > 0 && names.length <= 12 ? ` Known: ${names.map((one) => prefix + one).join(", ")}.` : ""
}

/** Returns the known name that is most similar to `name`, or undefined if no known name is similar enough. */
function closestName(name: string, known: Iterable<string>): string | undefined {
  return namesLike(name, known)[0]
}

/** Returns the known names that are similar to `name`, the most similar first. */
export function namesLike(name: string, known: Iterable<string>): readonly string[] {
  if (name.length > 64) return []
  const limit = Math.min(MAX_DISTANCE, Math.ceil(name.length / 2))
  const alike: { readonly candidate: string; readonly distance: number }[] = []
  for (const candidate of known) {
    // Skips names whose length differs too much: the edit distance is at least the difference in length.
    if (Math.abs(candidate.length - name.length) > limit) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= limit) alike.push({ candidate, distance })
  }
  return alike.sort((left, right) => left.distance - right.distance).map(({ candidate }) => candidate)
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution))
    }
    previous = current
  }
  return previous[right.length] ?? 0
}
