import type { AppIndex } from "kit/client"
import { useSession } from "kit/react"
import { lazy, Suspense, useEffect, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { useLocation } from "wouter"
import { client } from "./kit/client.ts"
import { AppIndexContext, useReadAppIndex } from "./kit/descriptions.ts"
import { type Person, PersonContext, personOf } from "./kit/person.ts"
import { forgetRecent } from "./kit/recent-records.ts"
import { SignOutContext } from "./kit/sign-out.ts"
import { ROUTES } from "./routes.ts"
import { Entrance } from "./screens/entrance/entrance.tsx"
import { KeptOut } from "./screens/entrance/kept-out.tsx"
import { Reset } from "./screens/entrance/reset.tsx"
import { SessionEnded } from "./screens/entrance/session-ended.tsx"
import { Unreachable } from "./screens/entrance/unreachable.tsx"
import { currentLanguage, loadWords } from "./words/language.ts"
import { WordsContext } from "./words/words.ts"

// The desk and its texts are loaded after the sign-in.
const Desk = lazy(async () => {
  const [{ Desk: Loaded }, words] = await Promise.all([import("./desk.tsx"), loadWords(currentLanguage())])
  return {
    default: () => (
      <WordsContext value={words}>
        <Loaded />
      </WordsContext>
    ),
  }
})

/** The desk of a person, with what this person may know of the app. */
interface OpenedDesk {
  readonly person: Person
  readonly index: AppIndex
}

/** Shows the entrance until somebody has signed in, and then the desk. */
export function Gate() {
  const [location] = useLocation()
  return location === ROUTES.reset ? <Reset /> : <SignedInGate />
}

function SignedInGate() {
  const session = useSession(client)
  const person = personOf(session.data)
  const index = useIndexOf(person)
  const desk = useOpenedDesk(person, index.data)
  const signOut = useSignOutFrom(desk)
  const { opened } = desk
  if (opened === null) {
    if (session.status === "error") return <Unreachable error={session.error} />
    if (index.status === "error") return <Unreachable error={index.error} onRetry={() => void index.refetch()} />
    return session.data === null ? <Entrance /> : null
  }
  const isIn = person?.id === opened.person.id && !signOut.isLeaving
  if (isIn && !opened.index.console) return <KeptOut person={opened.person} onSignOut={signOut.leave} />
  return (
    <SignOutContext value={signOut.leave}>
      <PersonContext value={opened.person}>
        <AppIndexContext value={opened.index}>
          {/* The desk stays mounted after its session has ended elsewhere, so that nothing that was typed is lost. */}
          <div className="desk" inert={!isIn}>
            <Suspense>
              <Desk key={opened.person.id} />
            </Suspense>
          </div>
        </AppIndexContext>
      </PersonContext>
      {session.data === null && !signOut.isLeaving && <SessionEnded email={opened.person.email} />}
    </SignOutContext>
  )
}

/** Reads the index of the app, and reads it again when the rights of the person may have changed. */
function useIndexOf(person: Person | undefined) {
  const index = useReadAppIndex(person !== undefined)
  const { refetch } = index
  const former = useRef(person)
  useEffect(() => {
    const hasChanged = former.current?.id === person?.id && former.current?.role !== person?.role
    former.current = person
    if (hasChanged) void refetch()
  }, [person, refetch])
  return index
}

function useOpenedDesk(person: Person | undefined, index: AppIndex | undefined) {
  const [opened, setOpened] = useState<OpenedDesk | null>(null)
  const isCurrent = person === undefined || (opened?.person === person && opened.index === index)
  // The index of a former person is never shown to the next one.
  if (!isCurrent && index?.user?.id === person.id) setOpened({ person, index })
  return { opened, close: () => setOpened(null) }
}

function useSignOutFrom(desk: { readonly opened: OpenedDesk | null; readonly close: () => void }) {
  const [, navigate] = useLocation()
  const [isLeaving, setIsLeaving] = useState(false)
  const leave = async () => {
    setIsLeaving(true)
    try {
      await client.auth.signOut()
      if (desk.opened) forgetRecent(desk.opened.person.id)
      // The desk is gone before the address changes, so that no form of it asks whether it may be left.
      flushSync(desk.close)
      navigate(ROUTES.home, { replace: true })
    } finally {
      setIsLeaving(false)
    }
  }
  return { isLeaving, leave }
}
