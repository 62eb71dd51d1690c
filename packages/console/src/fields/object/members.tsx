import type { PartSchema } from "kit/client"
import type { Path } from "../../form/path.ts"
import type { GroupProps } from "../group/group-props.ts"
import { isSameList, useSelection, useStablePath } from "../group/use-selection.ts"
import { shownMembers } from "./shown-members.ts"

interface MembersProps extends Pick<GroupProps, "Part"> {
  readonly fields: Readonly<Record<string, PartSchema>>
  /** The path of the object. */
  readonly path: Path
}

/** The members of an object or of a block, as far as their conditions show them. */
export function Members({ fields, path, Part }: MembersProps) {
  const place = useStablePath(path)
  const names = useSelection(place, (value) => shownMembers(fields, value), isSameList)
  return (
    <div className="members">
      {names.map((name) => {
        const part = fields[name]
        return (
          part && (
            <div key={name} className="member" data-width={part.width ?? undefined}>
              <Part part={part} path={[...place, name]} />
            </div>
          )
        )
      })}
    </div>
  )
}
