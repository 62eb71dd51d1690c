import { lazy, Suspense, useCallback, useState, useSyncExternalStore } from "react"
import { useLocation } from "wouter"
import { boot } from "../../kit/boot.ts"
import { ROUTES } from "../../routes.ts"
import { useEntranceWords } from "../../words/entrance-words.ts"
import { forgetSetUpToken, onSetUpToken, setUpToken } from "./set-up-token.ts"
import { SignIn } from "./sign-in.tsx"

// An app is set up once.
const SetUp = lazy(async () => ({ default: (await import("./set-up.tsx")).SetUp }))
const SetUpElsewhere = lazy(async () => ({ default: (await import("./set-up-elsewhere.tsx")).SetUpElsewhere }))

/** The first page for people who have not signed in: the sign-in, or the set-up of an app without an administrator. */
export function Entrance() {
  const words = useEntranceWords()
  const [, navigate] = useLocation()
  const token = useSyncExternalStore(onSetUpToken, setUpToken)
  const [isSetUpOpen, setIsSetUpOpen] = useState(boot.setUpOpen)
  const [wantsSignIn, setWantsSignIn] = useState(false)
  const close = useCallback(() => setIsSetUpOpen(false), [])
  const finish = () => {
    close()
    forgetSetUpToken()
    navigate(ROUTES.home, { replace: true })
  }
  if (token !== null && isSetUpOpen) {
    return (
      <Suspense>
        <SetUp token={token} onDone={finish} onClosed={close} />
      </Suspense>
    )
  }
  if (token !== null) return <SignIn note={words.setUpClosed} />
  if (isSetUpOpen && !wantsSignIn) {
    return (
      <Suspense>
        <SetUpElsewhere onSignIn={() => setWantsSignIn(true)} />
      </Suspense>
    )
  }
  return <SignIn />
}
