interface ThumbnailProps {
  /** The record of the file, or null if there is none. */
  readonly file: unknown
  /** The title of what the picture stands for, whose first letter is in the place of a missing picture. */
  readonly title: string
}

/** A small picture, loaded when it comes into view; a quiet letter if there is none. It says nothing to screen readers. */
export function Thumbnail({ file, title }: ThumbnailProps) {
  const address = pictureOf(file)
  if (address === null) {
    return (
      <span className="letter thumbnail" aria-hidden>
        {Array.from(title.trim())[0]?.toLocaleUpperCase() ?? ""}
      </span>
    )
  }
  return <img className="thumbnail" src={address} alt="" loading="lazy" decoding="async" fetchPriority="low" />
}

function pictureOf(file: unknown): string | null {
  if (file === null || typeof file !== "object" || !("url" in file) || !("mimeType" in file)) return null
  const { url, mimeType } = file
  if (typeof url !== "string" || typeof mimeType !== "string") return null
  return /^image\/(png|jpeg|gif|webp|avif)$/.test(mimeType) ? url : null
}
