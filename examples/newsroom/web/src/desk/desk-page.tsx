import { Notice, Problem, Skeleton } from "../components/notice.tsx"
import { Link } from "../shell/router.tsx"
import type { SignedInUser } from "../shell/session.ts"
import { useSession } from "../shell/session.ts"
import { useTitle } from "../shell/use-title.ts"
import { ArticleForm } from "./article/article-form.tsx"
import { Board } from "./board/board.tsx"
import { FiguresPage } from "./figures/figures-page.tsx"
import { Rooms } from "./rooms.tsx"
import { TeamsContext, useMemberships } from "./teams.ts"
import { useDeskWords } from "./words.ts"
import "./styles/desk.css"
import "./styles/board.css"
import "./styles/article.css"
import "./styles/editor.css"

interface DeskPageProps {
  /** The last part of the address: the id of the article that is open, or `figures`; undefined for the board. */
  readonly place: string | undefined
}

/** The pages of the members: their board at `/desk`, an article at `/desk/:id`, the figures at `/desk/figures`. */
export function DeskPage({ place }: DeskPageProps) {
  const { status, user } = useSession()
  if (status === "pending") return <Skeleton lines={6} />
  if (!user) return <SignedOut />
  return <MembersPage place={place} user={user} />
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

function MembersPage({ place, user }: DeskPageProps & { readonly user: SignedInUser }) {
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
        {place === undefined && <Board user={user} />}
        {place === "figures" && <FiguresPage />}
        {place !== undefined && place !== "figures" && <ArticleForm key={place} id={place} user={user} />}
      </Rooms>
    </TeamsContext>
  )
}
