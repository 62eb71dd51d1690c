import { Notice, Problem, Skeleton } from "../components/notice.tsx"
import { Link } from "../shell/router.tsx"
import type { SignedInUser } from "../shell/session.ts"
import { useSession } from "../shell/session.ts"
import { useTitle } from "../shell/use-title.ts"
import { ArticleForm } from "./article/article-form.tsx"
import { Board } from "./board/board.tsx"
import { Rooms } from "./rooms.tsx"
import { TeamsContext, useMemberships } from "./teams.ts"
import { useDeskWords } from "./words.ts"
import "./styles/desk.css"
import "./styles/board.css"
import "./styles/article.css"
import "./styles/editor.css"

interface DeskPageProps {
  /** The id of the article that is open; undefined for the board. */
  readonly article: string | undefined
}

/** The pages of the members: their board at `/desk`, or an article at `/desk/:id`. */
export function DeskPage({ article }: DeskPageProps) {
  const { status, user } = useSession()
  if (status === "pending") return <Skeleton lines={6} />
  if (!user) return <SignedOut />
  return <MembersPage article={article} user={user} />
}

/** The desk of a visitor who is not signed in, also after a sign-out in another window. */
function SignedOut() {
  const words = useDeskWords()
  useTitle(words.signedOut.title)
  return (
    <Notice title={words.signedOut.title}>
      <p>{words.signedOut.text}</p>
      <Link className="button button-primary" to="/account">
        {words.signedOut.signIn}
      </Link>
    </Notice>
  )
}

function MembersPage({ article, user }: DeskPageProps & { readonly user: SignedInUser }) {
  const words = useDeskWords()
  const memberships = useMemberships(user)
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
  return (
    <TeamsContext value={teams}>
      <Rooms teams={teams}>
        {article === undefined ? <Board user={user} /> : <ArticleForm key={article} id={article} user={user} />}
      </Rooms>
    </TeamsContext>
  )
}
