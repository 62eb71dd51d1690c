import { Notice } from "../components/notice.tsx"
import { useWords } from "../shell/language.ts"
import { Link } from "../shell/router.tsx"
import { useTitle } from "../shell/use-title.ts"

export function NotFoundPage({ text }: { readonly text?: string }) {
  const { notFound } = useWords()
  useTitle(notFound.title)
  return (
    <div className="page">
      <h1 className="unseen">{notFound.title}</h1>
      <Notice title={notFound.title}>
        <p>{text ?? notFound.text}</p>
        <Link to="/" className="button">
          {notFound.back}
        </Link>
      </Notice>
    </div>
  )
}
