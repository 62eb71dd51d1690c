declare module "virtual:icons" {
  /** A shape of an icon: the path of a path, or the name and the attributes of another element. */
  export type Shape = string | readonly [element: string, attributes: Readonly<Record<string, string>>]

  /** The icons whose names begin with a letter, by this letter. */
  const letters: Readonly<
    Record<string, () => Promise<{ readonly default: Readonly<Record<string, readonly Shape[]>> }>>
  >
  export default letters
}
