import { useSession } from "kit/react"
import { lazy, Suspense } from "react"
import { client } from "./kit/client.ts"
import { AppIndexContext, useReadAppIndex } from "./kit/descriptions.ts"
import { Failure } from "./parts/notice.tsx"
import { SignIn } from "./screens/entrance/sign-in.tsx"
import { useWords } from "./words/words.ts"

// Whoever signs in loads the desk only then.
const Desk = lazy(async () => ({ default: (await import("./desk.tsx")).Desk }))

/** Shows the sign-in until somebody has signed in, and then the desk with what this person may know of the app. */
export function Gate() {
  const words = useWords("shell")
  const session = useSession(client)
  const userId = session.data?.user.id
  const index = useReadAppIndex(userId !== undefined)
  if (session.status === "error") return <Failure title={words.offline} error={session.error} />
  if (session.data === undefined) return null
  if (session.data === null) return <SignIn />
  if (index.status === "error") {
    return <Failure title={words.offline} error={index.error} onRetry={() => void index.refetch()} />
  }
  if (index.data === undefined) return null
  return (
    <AppIndexContext value={index.data}>
      <Suspense>
        <Desk key={userId} />
      </Suspense>
    </AppIndexContext>
  )
}
