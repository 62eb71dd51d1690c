import { useMutation } from "kit/react"
import { client } from "../client.ts"
import { Button } from "../components/button.tsx"
import { ErrorText } from "../components/error-text.tsx"
import { Skeleton } from "../components/notice.tsx"
import { useWords } from "../shell/language.ts"
import { Link } from "../shell/router.tsx"
import { useSession } from "../shell/session.ts"
import { useTitle } from "../shell/use-title.ts"
import { SignInForm } from "./sign-in-form.tsx"

/** Signs people in; shows those who are signed in their account. */
export function AccountPage() {
  const words = useWords()
  const { status, user } = useSession()
  const leaving = useMutation(signOut)
  useTitle(user ? words.account : words.signIn.title)
  if (status === "pending") return <Skeleton />
  if (user === null) return <SignInForm />
  return (
    <div className="page narrow">
      <h1>{user.name}</h1>
      <p className="lead-in">{user.email}</p>
      <div className="form">
        <Link to="/desk" className="button button-primary">
          {words.toDesk}
        </Link>
        <Button isBusy={leaving.isPending} onClick={() => leaving.run()}>
          {words.signIn.out}
        </Button>
        <ErrorText text={leaving.error?.message} />
      </div>
    </div>
  )
}

/** Signs out, and then deletes the texts on this device: if the sign-out fails, nothing that waits there is lost. */
async function signOut(): Promise<void> {
  const { forgetTexts } = await import("../desk/crdt.ts")
  await client.auth.signOut()
  await forgetTexts()
}
