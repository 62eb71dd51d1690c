/** A value of an option or filter that has no names inside. */
export type Leaf = string | number | bigint | boolean | null | undefined | Date

/** The type of the items of a list; never for other types. */
export type ItemOf<Shape> = Shape extends readonly (infer Item)[] ? Item : never

/** The names of an object; never for values and lists. */
export type KeyOf<Shape> = Shape extends Leaf | readonly unknown[] ? never : keyof Shape

/** The type of a member of an object; never if there is none. */
export type MemberOf<Shape, Key> = Shape extends Leaf | readonly unknown[]
  ? never
  : Key extends keyof Shape
    ? Shape[Key]
    : never
