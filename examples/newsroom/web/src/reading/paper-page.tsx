import { Problem, Skeleton } from "../components/notice.tsx"
import { useWords } from "../shell/language.ts"
import { useTitle } from "../shell/use-title.ts"
import { BlockView, Hero } from "./block-view.tsx"
import { NotFoundPage } from "./not-found-page.tsx"
import { usePaperPage } from "./use-paper-page.ts"

/** A page of the paper itself, such as "About us". It is shown block by block, as its editors have built it. */
export function PaperPage({ slug }: { readonly slug: string }) {
  const words = useWords()
  const found = usePaperPage(slug)
  const page = found.data?.docs[0]
  useTitle(page?.title)
  if (found.status === "error") return <Problem error={found.error} />
  if (found.data === undefined) return <Skeleton lines={8} />
  if (page === undefined) return <NotFoundPage text={words.pageMissing} />
  const [first, ...others] = page.body ?? []
  const opening = first?.type === "hero" ? first : undefined
  const blocks = opening || !first ? others : [first, ...others]
  return (
    <div className="page">
      <article className="blocks">
        {opening ? <Hero block={opening} title={page.title} /> : <h1 className="block-wide">{page.title}</h1>}
        {blocks.map((block) => (
          <BlockView key={block.id} block={block} />
        ))}
      </article>
    </div>
  )
}
