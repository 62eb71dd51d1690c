import { Notice, Problem, Skeleton } from "../components/notice.tsx"
import { Link } from "../shell/router.tsx"
import type { SignedInUser } from "../shell/session.ts"
import { useSession } from "../shell/session.ts"
import { useTitle } from "../shell/use-title.ts"
import { ArticleForm } from "./article/article-form.tsx"
import { Board } from "./board/board.tsx"
import { Rooms } from "./rooms.tsx"
import { TeamsContext, useMemberships } from "./teams.ts"
import { useIsOnline } from "./use-is-online.ts"
import { useDeskWords } from "./words.ts"
import "./styles/desk.css"
import "./styles/board.css"
import "./styles/article.css"
import "./styles/editor.css"

/** The pages of the members: their board, or an article at `/desk/:id`. `path` is the address below `/desk`. */
export function DeskPage({ path }: { readonly path: string }) {
  const words = useDeskWords()
  const { status, user } = useSession()
  useTitle(words.desk)
  if (status === "pending") return <Skeleton lines={6} />
  if (!user) return <SignedOut />
  return <MembersPage path={path} user={user} />
}

/** The desk of a visitor who is not signed in, also after a sign-out in another window. */
function SignedOut() {
  const words = useDeskWords()
  return (
    <Notice title={words.signedOut.title}>
      <p>{words.signedOut.text}</p>
      <Link className="button button-primary" to="/account">
        {words.signedOut.signIn}
      </Link>
    </Notice>
  )
}

function MembersPage({ path, user }: { readonly path: string; readonly user: SignedInUser }) {
  const words = useDeskWords()
  const memberships = useMemberships(user)
  const isOnline = useIsOnline()
  if (memberships.status === "error") return <Problem error={memberships.error} />
  if (memberships.data === undefined) return <Skeleton lines={6} />
  const teams = memberships.data
  if (teams.length === 0) {
    return (
      <Notice title={words.noTeam.title}>
        <p>{words.noTeam.text}</p>
      </Notice>
    )
  }
  const id = path.slice(1)
  return (
    <TeamsContext value={teams}>
      <Rooms teams={teams}>
        {(memberships.status === "stale" || !isOnline) && (
          <p className="desk-away" role="status">
            {words.away}
          </p>
        )}
        {id === "" ? <Board user={user} /> : <ArticleForm key={id} id={id} user={user} />}
      </Rooms>
    </TeamsContext>
  )
}
