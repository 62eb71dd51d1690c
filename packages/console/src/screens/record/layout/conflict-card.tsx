import type { FieldSchema } from "kit/client"
import { TriangleAlert } from "lucide-react"
import { ValueText } from "../../../fields/value-text.tsx"
import { useFieldState, useForm } from "../../../form/form-context.ts"
import { Button } from "../../../parts/button.tsx"
import { Icon } from "../../../parts/icon.tsx"
import { useWords } from "../../../words/words.ts"

/** Below a field that somebody else has saved while it was edited here: which of both values to keep. */
export function ConflictCard({ field }: { readonly field: FieldSchema }) {
  const { name } = field
  const { store } = useForm()
  const words = useWords("record")
  const isOvertaken = useFieldState(name, () => store.isOvertaken(name))
  const isEdited = useFieldState(name, () => store.isEdited(name))
  if (!isOvertaken) return null
  if (!isEdited) return <span className="hint">{words.overtakenLine}</span>
  return (
    <section className="conflict" aria-label={words.overtakenTitle}>
      <h3 role="status">
        <Icon of={TriangleAlert} />
        {words.overtakenTitle}
      </h3>
      <dl>
        <dt>{words.theirs}</dt>
        <dd>
          <Theirs field={field} />
        </dd>
        <dt>{words.yours}</dt>
        <dd>
          <Yours field={field} />
        </dd>
      </dl>
      <div className="conflict-actions">
        <Button onPress={() => store.discard(name)}>{words.takeTheirs}</Button>
        <Button onPress={() => store.keepMine(name)}>{words.keepMine}</Button>
      </div>
    </section>
  )
}

function Theirs({ field }: { readonly field: FieldSchema }) {
  const { store } = useForm()
  const value = useFieldState(field.name, () => store.baseline[field.name])
  return <ValueText part={field} value={value} />
}

function Yours({ field }: { readonly field: FieldSchema }) {
  const { store } = useForm()
  const value = useFieldState(field.name, () => store.read([field.name]))
  return <ValueText part={field} value={value} />
}
