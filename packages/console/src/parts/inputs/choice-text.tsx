/** One of the values between which a person can choose. */
export interface Choice {
  readonly value: string
  readonly label: string
  /** The name of the colour of its dot. */
  readonly color?: string | null
}

/** The label of a value, after the dot of its colour. */
export function ChoiceText({ choice: { label, color } }: { readonly choice: Choice }) {
  if (!color) return <span>{label}</span>
  return (
    <span className="option" style={{ "--mark": `var(--${color})` }}>
      {label}
    </span>
  )
}
