/** Says why an action has failed, beside its button. Nothing is shown without a text. */
export function ErrorText({ text }: { readonly text: string | undefined }) {
  return (
    text !== undefined && (
      <p className="error-text" role="alert">
        {text}
      </p>
    )
  )
}
