import { client } from "../../kit/client.ts"
import { usePerson } from "../../kit/person.ts"
import { toast } from "../../parts/toast.tsx"
import { useWords } from "../../words/words.ts"
import { FormProblem } from "../entrance/form-problem.tsx"
import { TextField } from "../entrance/text-field.tsx"
import { useSubmit } from "../entrance/use-submit.ts"

/** Changes the name of the person. The address is shown, because it is what they sign in with. */
export function NameForm() {
  const words = useWords("account")
  const person = usePerson()
  const submit = useSubmit(async ({ name = "" }) => {
    await client.auth.update({ name })
    toast({ text: words.saved })
  })
  return (
    <form className="stack" onSubmit={submit.onSubmit}>
      <TextField
        label={words.name}
        name="name"
        autoComplete="name"
        defaultValue={person.name}
        problem={submit.problemOf("name")}
      />
      {person.email && (
        <div className="field">
          <span className="label">{words.email}</span>
          <span>{person.email}</span>
        </div>
      )}
      <FormProblem text={submit.problem} />
      <div>
        <button className="button" type="submit" aria-disabled={submit.isSending}>
          {words.save}
        </button>
      </div>
    </form>
  )
}
