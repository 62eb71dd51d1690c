import { Link } from "../../shell/router.tsx"
import { useTeams } from "../teams.ts"
import { useDeskWords } from "../words.ts"

/** Shows the board of one team or of all, if the user is in several. */
export function TeamLinks({ current }: { readonly current: string | undefined }) {
  const words = useDeskWords()
  const teams = useTeams()
  if (teams.length < 2) return null
  const links = [{ slug: undefined, name: words.allTeams }, ...teams]
  return (
    <nav className="team-links" aria-label={words.teams}>
      {links.map(({ slug, name }) => (
        <Link
          key={slug ?? ""}
          to={slug === undefined ? "/desk" : `/desk?team=${slug}`}
          aria-current={slug === current ? "page" : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
