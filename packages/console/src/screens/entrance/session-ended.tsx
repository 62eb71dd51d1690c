import { useEffect, useId, useRef } from "react"
import { createPortal } from "react-dom"
import { boot } from "../../kit/boot.ts"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { SignInForm } from "./sign-in-form.tsx"

/**
 * The sign-in over the desk, after the session has ended elsewhere. The desk stays mounted below it, so that nothing
 * that was typed is lost, but it is covered: the account may have lost the right to see it.
 */
export function SessionEnded({ email }: { readonly email: string | undefined }) {
  const words = useEntranceWords()
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // The browser has put the focus on the address, which is there already.
    if (email !== undefined) shown?.querySelector<HTMLElement>("[name=password]")?.focus()
    return () => shown?.close()
  }, [email])
  // Outside of the desk, and marked for React Aria: a modal of the desk would otherwise hide it from screen readers.
  return createPortal(
    <dialog
      ref={dialog}
      className="session-ended"
      aria-labelledby={titleId}
      closedby="none"
      onCancel={(event) => event.preventDefault()}
      data-react-aria-top-layer="true"
    >
      <div className="letter-sheet">
        <h1 id={titleId}>{words.sessionEnded}</h1>
        <p>{words.sessionEndedHint}</p>
        <SignInForm email={email} />
        {boot.providers.length > 0 && (
          <div className="aside">
            <a className="link" href={boot.consoleBase} target="_blank" rel="noreferrer">
              {words.signInNewTab}
            </a>
          </div>
        )}
      </div>
    </dialog>,
    document.body,
  )
}
