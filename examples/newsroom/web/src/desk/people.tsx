const COLORS = ["#a3341f", "#1d5fa8", "#2b6e3f", "#7a3e9d", "#8a5a00", "#00697a"]

/** The colour that stands for a user everywhere on the desk. White text is readable on it. */
export function colorOf(id: string): string {
  const sum = [...id].reduce((total, character) => total + character.charCodeAt(0), 0)
  return COLORS[sum % COLORS.length] ?? "#000000"
}

interface PeopleProps {
  readonly label: string
  readonly people: readonly { readonly id: string; readonly name: string }[]
}

/** The people who are here, as round marks with their initials. */
export function People({ label, people }: PeopleProps) {
  return (
    <ul className="people" aria-label={label}>
      {people.map(({ id, name }) => (
        <li key={id} className="person" style={{ background: colorOf(id) }} title={name}>
          <span aria-hidden="true">{initialsOf(name)}</span>
          <span className="unseen">{name}</span>
        </li>
      ))}
    </ul>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/)
  return [words.at(0), words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0]?.toUpperCase()).join("")
}
