/** The dash in the place of a value that is not there. */
export function NoValue() {
  return <span className="none">–</span>
}
