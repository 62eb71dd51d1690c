/** The problem of a form as a whole. It is announced as soon as it appears. */
export function FormProblem({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p className="form-problem" role="alert">
      {text}
    </p>
  )
}
