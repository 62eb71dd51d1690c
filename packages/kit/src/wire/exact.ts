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
      : { [Key in keyof Given]: Key extends KeyOf<Shape> ? Exact<Given[Key], MemberOf<Shape, Key>> : Unknown<Key> }

/** As `Exact`, for names whose values need no second look. */
export type ExactNames<Given, Shape> = { [Name in Exclude<keyof Given, keyof Shape>]: Unknown<Name> }

/** What nothing can be assigned to; the compiler's message says the name. */
type Unknown<Name> = `no such name: ${Name & string}` & never[]

type Leaf = string | number | bigint | boolean | null | undefined | Date

type ItemOf<Shape> = Shape extends readonly (infer Item)[] ? Item : never

type KeyOf<Shape> = Shape extends Leaf | readonly unknown[] ? never : keyof Shape

type MemberOf<Shape, Key> = Shape extends Leaf | readonly unknown[]
  ? never
  : Key extends keyof Shape
    ? Shape[Key]
    : never
