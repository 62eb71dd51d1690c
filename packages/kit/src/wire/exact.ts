/**
 * Refuses every name of `Given` that `Shape` does not have, at any depth: an inferred type parameter is not checked for
 * excess properties. Where the shape names no keys, as for a JSON operand, anything goes.
 */
export type Exact<Given, Shape> = Given extends Leaf
  ? unknown
  : Given extends readonly unknown[]
    ? { [Index in keyof Given]: Exact<Given[Index], ItemOf<Shape>> }
    : [KeyOf<Shape>] extends [never]
      ? unknown
      : { [Key in keyof Given]: Key extends KeyOf<Shape> ? Exact<Given[Key], MemberOf<Shape, Key>> : NoSuchName<Key> }

/** As `Exact`, for names whose values need no second look. */
export type ExactNames<Given, Shape> = [keyof Given] extends [keyof Shape]
  ? unknown
  : { [Name in Exclude<keyof Given, keyof Shape>]: NoSuchName<Name> }

/** What no option is; the compiler's message says the name. */
interface NoSuchName<Name> {
  readonly noSuchName: Name
}

type Leaf = string | number | bigint | boolean | null | undefined | Date

type ItemOf<Shape> = Shape extends readonly (infer Item)[] ? Item : never

type KeyOf<Shape> = Shape extends Leaf | readonly unknown[] ? never : keyof Shape

type MemberOf<Shape, Key> = Shape extends Leaf | readonly unknown[]
  ? never
  : Key extends keyof Shape
    ? Shape[Key]
    : never
