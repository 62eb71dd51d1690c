import { Link } from "../shell/router.tsx"
import { Cover, Kicker } from "./article-card.tsx"
import { RichTextView } from "./rich-text-view.tsx"
import { safeAddress } from "./safe-address.ts"
import type { PageBlock, PageBlockOf } from "./use-paper-page.ts"

/** Shows one block of a page. `type` says which one it is, so the compiler knows its members. */
export function BlockView({ block }: { readonly block: PageBlock }) {
  switch (block.type) {
    case "hero":
      return <Hero block={block} />
    case "text":
      return (
        <div className="block-text">
          <RichTextView value={block.text} />
        </div>
      )
    case "quote":
      return <Quote block={block} />
    case "figures":
      return <Figures block={block} />
    case "stories":
      return <Stories block={block} />
    case "links":
      return <Links block={block} />
    case "box":
      return <Box block={block} />
    default:
      // A stored block that is declared no more, or not yet in the script that this browser has loaded.
      block satisfies never
      return null
  }
}

interface HeroProps {
  readonly block: PageBlockOf<"hero">
  /** The title of the page, if the block opens it. */
  readonly title?: string
}

/** A heading across the page. The first one is the heading of the page itself. */
export function Hero({ block: { heading, text, image }, title }: HeroProps) {
  const Heading = title === undefined ? "h2" : "h1"
  return (
    <header className="block-wide hero">
      {title !== undefined && <p className="kicker">{title}</p>}
      <Heading className="hero-heading">{heading}</Heading>
      {text && <p className="hero-text">{text}</p>}
      {image && (
        <figure className="hero-image">
          <Cover picture={image} isLarge />
          {image.alt && <figcaption>{image.alt}</figcaption>}
        </figure>
      )}
    </header>
  )
}

function Quote({ block: { text, by } }: { readonly block: PageBlockOf<"quote"> }) {
  return (
    <figure className="block-quote">
      <blockquote>{text}</blockquote>
      {by && <figcaption>{by}</figcaption>}
    </figure>
  )
}

function Figures({ block: { figures } }: { readonly block: PageBlockOf<"figures"> }) {
  return (
    <dl className="block-wide figures">
      {figures.map(({ value, label }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Articles that the desk has chosen, with their titles of today. Nothing is shown if the reader may see none of them. */
function Stories({ block: { id, heading, articles } }: { readonly block: PageBlockOf<"stories"> }) {
  if (articles.length === 0) return null
  return (
    <section className="block-wide chosen-stories" aria-labelledby={id}>
      <h2 id={id} className="rule-title">
        {heading}
      </h2>
      <ol>
        {articles.map((article) => (
          <li key={article.id} className="card">
            {article.cover && <Cover picture={article.cover} />}
            <div>
              <p className="kicker">
                <Kicker article={article} />
              </p>
              <h3 className="card-title">
                <Link to={`/articles/${article.slug}`}>{article.title}</Link>
              </h3>
              {article.summary && <p className="card-summary">{article.summary}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Links({ block: { id, heading, links } }: { readonly block: PageBlockOf<"links"> }) {
  return (
    <section className="links" aria-labelledby={id}>
      <h2 id={id} className="rule-title">
        {heading}
      </h2>
      <ul>
        {links.map(({ label, address, note }) => (
          <li key={address}>
            <AddressLink address={address}>{label}</AddressLink>
            {note && <span>{note}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A link to a page of the paper, or to another site. */
function AddressLink({ address, children }: { readonly address: string; readonly children: string }) {
  if (address.startsWith("/")) return <Link to={address}>{children}</Link>
  const href = safeAddress(address)
  return href === undefined ? children : <a href={href}>{children}</a>
}

/** A block that has blocks in it. */
function Box({ block: { id, heading, body } }: { readonly block: PageBlockOf<"box"> }) {
  return (
    <aside className="box" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      {body.map((block) => (
        <BlockView key={block.id} block={block} />
      ))}
    </aside>
  )
}
