import { Picture } from "../../parts/files/picture.tsx"
import { initialsOf } from "../../parts/initials.ts"
import { tintOf } from "../../parts/tint.ts"
import { useWords } from "../../words/words.ts"
import { isShownAsPicture, TypeIcon } from "../upload/file-picture.tsx"
import type { Face, FilePreview } from "./face.ts"
import type { Target } from "./use-target.ts"

export interface FaceLineProps {
  readonly face: Face
  readonly target: Target | undefined
  /** The text that was searched: its first occurrence in the title is marked. */
  readonly match?: string
  readonly end?: string | undefined
}

/** A record as one line of a list: picture or initials, title, second line. */
export function FaceLine({ face, target, match = "", end }: FaceLineProps) {
  const words = useWords("relations")
  const title = face.title ?? words.untitled
  return (
    <>
      <FaceMark face={face} target={target} />
      <span className="face-text">
        <Marked text={title} match={match} />
        {face.note && <small>{face.note}</small>}
      </span>
      {end && <span className="end">{end}</span>}
    </>
  )
}

/** The mark before a title: initials of a person, or a small picture in collections that have some. */
export function FaceMark({ face, target }: Pick<FaceLineProps, "face" | "target">) {
  if (target === undefined) return null
  if (isOfPeople(target.schema.name)) return <Initials id={face.id} name={face.title ?? ""} />
  if (!target.reading.hasPicture) return null
  return <Thumbnail file={face.picture} title={face.title} />
}

/** A small picture, the icon of a file that is none, or the first letter of the title. */
function Thumbnail({ file, title }: { readonly file: FilePreview | null; readonly title: string | null }) {
  if (file && !isShownAsPicture(file.mimeType)) return <TypeIcon mimeType={file.mimeType} />
  if (file) return <Picture className="face-picture" src={file.url} />
  return (
    <span className="letter face-picture" aria-hidden>
      {Array.from(title ?? "")[0]?.toLocaleUpperCase() ?? ""}
    </span>
  )
}

/** The two letters of a person, in a tint of their colour. */
function Initials({ id, name }: { readonly id: string; readonly name: string }) {
  return (
    <span className="initials" aria-hidden style={tintOf(id)}>
      {initialsOf(name)}
    </span>
  )
}

/** Returns whether the records of a collection are the users of the app. */
function isOfPeople(collection: string): boolean {
  return collection === "users"
}

function Marked({ text, match }: { readonly text: string; readonly match: string }) {
  const at = match === "" ? -1 : text.toLocaleLowerCase().indexOf(match.toLocaleLowerCase())
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + match.length)}</mark>
      {text.slice(at + match.length)}
    </>
  )
}
