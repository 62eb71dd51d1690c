import { useForm } from "../../form/form-context.ts"
import { type Path, pathText } from "../../form/path.ts"

/** Returns what is wrong with the value at a path itself, as one text. */
export function useOwnProblem(path: Path): string {
  return useForm().problemsAt(pathText(path)).join(" ")
}

/** Returns how many problems there are at and below a path. */
export function useProblemCount(path: Path): number {
  return useForm().problemsAt(pathText(path)).length
}

/** Returns the indexes of the items of a list that have problems, or parts with problems, as a text. */
export function useTroubledItems(path: Path, count: number): readonly number[] {
  const { problemsAt } = useForm()
  const place = pathText(path)
  if (problemsAt(place).length === 0) return []
  return [...Array(count).keys()].filter((index) => problemsAt(`${place}.${index}`).length > 0)
}
