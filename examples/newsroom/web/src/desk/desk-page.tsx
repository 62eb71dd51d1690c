import { useWords } from "../shell/language.tsx"
import { useTitle } from "../shell/use-title.ts"

/** The pages of the members. `path` is the part of the address below `/desk`. */
export function DeskPage({ path }: { readonly path: string }) {
  const words = useWords()
  useTitle(words.desk)
  return (
    <section className="page">
      <h1>{words.desk}</h1>
      <p>{path}</p>
    </section>
  )
}
