import type { FieldSchema } from "kit/client"
import { useLive } from "kit/react"
import { X } from "lucide-react"
import { useState } from "react"
import { Link } from "wouter"
import { useForm } from "../../form/form-context.ts"
import { useFormats } from "../../kit/formats.ts"
import { type ConsoleRecord, collectionHandle } from "../../kit/resources.ts"
import { Button } from "../../parts/button.tsx"
import { Picture } from "../../parts/files/picture.tsx"
import { Icon } from "../../parts/icon.tsx"
import { recordPath } from "../../routes.ts"
import { useWords } from "../../words/words.ts"
import type { EditProps } from "../edit-props.ts"
import { RelatedDrawer } from "../relation/related-drawer.tsx"
import { mayUpdate } from "../relation/use-new-record.ts"
import type { Target } from "../relation/use-target.ts"
import { FileChooser } from "./file-chooser.tsx"
import { sizeText } from "./file-limits.ts"
import { isShownAsPicture, TypeIcon } from "./file-picture.tsx"

interface ChosenFileProps extends EditProps {
  readonly target: Target
  readonly id: string
}

const FILE_COLUMNS = ["url", "mimeType", "filename", "size", "width", "height"]

/** The file that is chosen: its picture or its icon, what describes it, and what can be done about it. */
export function ChosenFile(props: ChosenFileProps) {
  const { target, id, onChange } = props
  const [isReplacing, setIsReplacing] = useState(false)
  const file = useFile(props)
  if (file === undefined) return <p className="quiet-line" aria-busy="true" />
  return (
    <div className="chosen-file">
      <FileView {...props} file={file} onReplace={() => setIsReplacing(true)} />
      {isReplacing && (
        <FileChooser
          {...props}
          onChosen={(chosen) => {
            setIsReplacing(false)
            onChange(chosen.id)
          }}
          onCancel={() => setIsReplacing(false)}
          target={target}
          key={id}
        />
      )}
    </div>
  )
}

interface FileViewProps extends ChosenFileProps {
  /** Null if the person may not see the record of the file. */
  readonly file: ConsoleRecord | null
  readonly onReplace: () => void
}

function FileView(props: FileViewProps) {
  const { target, id, file, part, inputId, describedBy, isReadOnly, onChange, onReplace } = props
  const words = useWords("files")
  const relationWords = useWords("relations")
  const [isEditing, setIsEditing] = useState(false)
  const name = file === null ? relationWords.notThere : String(file["filename"] ?? relationWords.untitled)
  const mayServe = target.schema.access.operations.serve !== false
  const isPicture = file !== null && mayServe && isShownAsPicture(String(file["mimeType"]))
  const described = describingField(target)
  const description = file && described ? textOf(file[described.name]) : null
  const mayDescribe = file !== null && mayUpdate(target.schema) && !isReadOnly
  return (
    <figure className={isPicture ? "file-view picture" : "file-view"}>
      {isPicture ? (
        <Picture src={String(file["url"])} alt={description ?? name} ratio={ratioOf(file)} />
      ) : (
        <FileLine file={file} name={name} />
      )}
      <figcaption className="file-bar">
        {mayDescribe && (
          <Button aria-label={words.details(description ?? name)} onPress={() => setIsEditing(true)}>
            <span className="cut">{description ?? (described ? words.fillIn(described.label) : name)}</span>
          </Button>
        )}
        {file && !mayDescribe && (
          <Link className="button" href={recordPath(target.schema.name, id)}>
            <span className="cut">{description ?? name}</span>
          </Link>
        )}
        {!isReadOnly && (
          <>
            <Button
              id={inputId}
              aria-label={words.replace(part.label)}
              {...(describedBy && { "aria-describedby": describedBy })}
              onPress={onReplace}
            >
              {words.replaceShort}
            </Button>
            <Button look="icon" aria-label={relationWords.clear(part.label)} onPress={() => onChange(null)}>
              <Icon of={X} />
            </Button>
          </>
        )}
      </figcaption>
      {isEditing && <RelatedDrawer collection={target.schema.name} id={id} onClose={() => setIsEditing(false)} />}
    </figure>
  )
}

/** A file that is no picture: icon, name and size. */
function FileLine({ file, name }: { readonly file: ConsoleRecord | null; readonly name: string }) {
  const { locale } = useFormats()
  const size = file?.["size"]
  return (
    <span className="file-line">
      <TypeIcon mimeType={String(file?.["mimeType"] ?? "")} />
      <span className="face-text">
        {name}
        {typeof size === "number" && <small>{sizeText(size, locale)}</small>}
      </span>
    </span>
  )
}

/** Follows the record of a file: undefined until it is read, null if the person may not see it. */
function useFile({ target, id }: ChosenFileProps): ConsoleRecord | null | undefined {
  const { locale } = useForm()
  const { fields, name } = target.schema
  const columns = [...FILE_COLUMNS, describingField(target)?.name].filter((column) => column && fields[column])
  const { data } = useLive(collectionHandle(name).record(id), {
    columns: Object.fromEntries(columns.map((column) => [column, true])),
    locale,
  })
  // The record of a collection that is known by its description only.
  return data as ConsoleRecord | null | undefined
}

/** Returns the field with which people describe a file: the first text that they may change, such as the alternative text. */
function describingField({ schema }: Target): FieldSchema | undefined {
  const texts = ["text", "textarea"]
  return Object.values(schema.fields).find(
    ({ type, readOnly, access }) =>
      texts.includes(type) && !readOnly && access.read !== false && access.update !== false,
  )
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null
}

function ratioOf({ width, height }: ConsoleRecord): number | undefined {
  return typeof width === "number" && typeof height === "number" && height > 0 ? width / height : undefined
}
