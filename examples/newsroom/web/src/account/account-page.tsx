import { useState } from "react"
import { Button } from "../components/button.tsx"
import { Skeleton } from "../components/notice.tsx"
import { signOut } from "../shell/auth.ts"
import { useWords } from "../shell/language.tsx"
import { useSession } from "../shell/session.tsx"
import { useTitle } from "../shell/use-title.ts"
import { SignInForm } from "./sign-in-form.tsx"

/** Signs people in; shows those who are signed in their account. */
export function AccountPage() {
  const words = useWords()
  const { status, user } = useSession()
  const [isLeaving, setIsLeaving] = useState(false)
  useTitle(user ? words.account : words.signIn.title)
  if (status === "pending") return <Skeleton />
  if (user === null) return <SignInForm />
  const leave = async () => {
    setIsLeaving(true)
    await signOut()
    location.assign("/")
  }
  return (
    <div className="page narrow">
      <h1>{user.name}</h1>
      <p>{user.email}</p>
      <Button isBusy={isLeaving} onClick={leave}>
        {words.signIn.out}
      </Button>
    </div>
  )
}
