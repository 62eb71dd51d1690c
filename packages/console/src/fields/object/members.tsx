import { matchesWhere, type PartSchema } from "kit/client"
import type { Path } from "../../form/path.ts"
import type { GroupProps } from "../group/group-props.ts"
import { isSameList, useSelection, useStablePath } from "../group/use-selection.ts"

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

/** Returns the names of the members that a form shows for these values: conditions are about the other members. */
export function shownMembers(fields: Readonly<Record<string, PartSchema>>, value: unknown): readonly string[] {
  const names = Object.keys(fields)
  // A condition on a member that has no value yet is one on null.
  const values = { ...Object.fromEntries(names.map((name) => [name, null])), ...Object(value) }
  return names.filter((name) => {
    const visible = fields[name]?.visible ?? null
    return visible === null || matchesWhere(visible, values) !== false
  })
}
