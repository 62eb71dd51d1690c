import { File as FileIcon, FileText, Music, Video } from "lucide-react"
import { useEffect, useState } from "react"
import { Icon } from "../../parts/icon.tsx"

/** The picture of a file that is still on this device, or the icon of its type. */
export function FilePicture({ file }: { readonly file: File }) {
  const [url, setUrl] = useState<string>()
  // A file may say that it is a picture and be none.
  const [isBroken, setIsBroken] = useState(false)
  const isPicture = isShownAsPicture(file.type)
  useEffect(() => {
    if (!isPicture) return undefined
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file, isPicture])
  if (isPicture && url && !isBroken) {
    return <img className="face-picture" src={url} alt="" onError={() => setIsBroken(true)} />
  }
  return <TypeIcon mimeType={file.type} />
}

/** The icon of a kind of files, in the place of a picture. */
export function TypeIcon({ mimeType }: { readonly mimeType: string }) {
  return (
    <span className="letter face-picture">
      <Icon of={iconOf(mimeType)} />
    </span>
  )
}

/** Returns whether browsers show files of a type as a picture. SVG is left out: the server has it downloaded. */
export function isShownAsPicture(mimeType: string): boolean {
  return /^image\/(png|jpeg|gif|webp|avif)$/.test(mimeType)
}

function iconOf(mimeType: string) {
  if (mimeType.startsWith("video/")) return Video
  if (mimeType.startsWith("audio/")) return Music
  return mimeType === "application/pdf" || mimeType.startsWith("text/") ? FileText : FileIcon
}
