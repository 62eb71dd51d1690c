import type { AppIndex } from "kit/client"
import { type ComponentType, lazy, Suspense, useCallback, useEffect, useRef, useState } from "react"
import { flushSync } from "react-dom"
import { useLocation, useRoute } from "wouter"
import { boot } from "./kit/boot.ts"
import { client } from "./kit/client.ts"
import { AppIndexContext, useCollectionSchema, useReadAppIndex } from "./kit/descriptions.ts"
import { useIsFirstScreenShown } from "./kit/first-screen.ts"
import { type Person, PersonContext, personOf } from "./kit/person.ts"
import { type KnownSession, SessionFollower } from "./kit/session-follower.tsx"
import { SignOutContext } from "./kit/sign-out.ts"
import { SignedInContext } from "./kit/signed-in.ts"
import { ROUTES } from "./routes.ts"
import { Entrance } from "./screens/entrance/entrance.tsx"
import type { KeptOutProps } from "./screens/entrance/kept-out.tsx"
import { SessionEnded } from "./screens/entrance/session-ended.tsx"
import { Unreachable } from "./screens/entrance/unreachable.tsx"

const loadDesk = async () => ({ default: await importDesk().catch(unloaded) })

// The desk is loaded after the sign-in, and at the start if the browser has sent a session.
const loadingDesk = boot.hasSession ? loadDesk() : undefined
const Desk = lazy(() => loadingDesk ?? loadDesk())
const KeptOut = lazy(async () => ({ default: await importKeptOut().catch(unloaded) }))
const Reset = lazy(async () => ({ default: await importReset().catch(unloaded) }))

async function importKeptOut(): Promise<ComponentType<KeptOutProps>> {
  return (await import("./screens/entrance/kept-out.tsx")).KeptOut
}

async function importDesk(): Promise<ComponentType> {
  return (await import("./desk.tsx")).Desk
}

async function importReset(): Promise<ComponentType> {
  return (await import("./screens/entrance/reset.tsx")).Reset
}

// Nothing has been typed yet, so the page can be loaded again.
function unloaded(reason: unknown): ComponentType {
  return () => <Unreachable error={reason instanceof Error ? reason : new Error(String(reason))} />
}

/** The desk of a person, with what this person may know of the app. */
interface OpenedDesk {
  readonly person: Person
  readonly index: AppIndex
}

/** Shows the entrance until somebody has signed in, and then the desk. */
export function Gate() {
  const [location] = useLocation()
  if (location !== ROUTES.reset) return <SignedInGate />
  return (
    <Suspense>
      <Reset />
    </Suspense>
  )
}

function SignedInGate() {
  const [session, setSession] = useState<KnownSession>()
  const index = useIndexOf(session)
  const person = personOf(session ? session.data?.user : index.data?.user)
  const desk = useOpenedDesk(person, index.data)
  const isShown = useIsFirstScreenShown()
  useEarlyDescription(!isShown)
  // The index says who has signed in, too. The session is followed when the stream has brought the first screen.
  const isFollowed = !boot.hasSession || isShown || index.data?.user === null || index.status === "error"
  const report = useCallback(
    (next: KnownSession) => setSession((former) => (isKnown(next) ? next : former && next)),
    [],
  )
  return (
    <>
      {isFollowed && <SessionFollower onChange={report} />}
      <Opened {...{ session, index, person, desk }} />
    </>
  )
}

interface OpenedProps {
  readonly session: KnownSession | undefined
  readonly index: ReturnType<typeof useReadAppIndex>
  readonly person: Person | undefined
  readonly desk: ReturnType<typeof useOpenedDesk>
}

/** The desk, or what stands in its place. */
function Opened({ session, index, person, desk }: OpenedProps) {
  const signOut = useSignOutFrom(desk)
  const { opened } = desk
  if (opened === null) {
    if (session?.error) return <Unreachable error={session.error} />
    if (index.status === "error") return <Unreachable error={index.error} onRetry={() => void index.refetch()} />
    return session?.data === null ? <Entrance /> : null
  }
  const isIn = person?.id === opened.person.id && !signOut.isLeaving
  if (isIn && !opened.index.console) {
    return (
      <Suspense>
        <KeptOut person={opened.person} onSignOut={signOut.leave} />
      </Suspense>
    )
  }
  return (
    <SignOutContext value={signOut.leave}>
      <PersonContext value={opened.person}>
        <SignedInContext value={isIn}>
          <AppIndexContext value={opened.index}>
            {/* The desk stays mounted after its session has ended elsewhere, so that nothing that was typed is lost. */}
            <div className="desk" inert={!isIn}>
              <Suspense>
                <Desk key={opened.person.id} />
              </Suspense>
            </div>
          </AppIndexContext>
        </SignedInContext>
      </PersonContext>
      {session?.data === null && !signOut.isLeaving && <SessionEnded email={opened.person.email} />}
    </SignOutContext>
  )
}

function isKnown({ data, error }: KnownSession): boolean {
  return data !== undefined || error !== undefined
}

/** Reads the description that the first screen will need, beside the index. */
function useEarlyDescription(isEarly: boolean): void {
  const [, params] = useRoute<{ collection: string }>(ROUTES.inCollection)
  useCollectionSchema((isEarly && boot.hasSession && params?.collection) || null)
}

/**
 * Reads the index of the app if somebody has signed in, or may have: nothing is known of the session yet. Reads it again
 * when the rights of the person may have changed.
 */
function useIndexOf(session: KnownSession | undefined) {
  const person = personOf(session?.data?.user)
  const index = useReadAppIndex(session === undefined ? boot.hasSession : person !== undefined)
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

function useSignOutFrom(desk: { readonly close: () => void }) {
  const [, navigate] = useLocation()
  const [isLeaving, setIsLeaving] = useState(false)
  const leave = async () => {
    setIsLeaving(true)
    try {
      const { prepareForgetting } = await import("./kit/together/shared-texts.ts")
      const forget = await prepareForgetting()
      await client.auth.signOut()
      // The desk is gone before the address changes, so that no form of it asks whether it may be left.
      flushSync(desk.close)
      navigate(ROUTES.home, { replace: true })
      await forget()
    } finally {
      setIsLeaving(false)
    }
  }
  return { isLeaving, leave }
}
