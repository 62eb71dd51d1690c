import type { ItemOf, KeyOf, Leaf, MemberOf } from "../../wire/typed/shape.ts"
import type { AccessContext, AccessOperation, Denied } from "./access.ts"

/**
 * The type of the argument of `.access()` on a generated builder. The compiler infers `Rules` from the argument, and
 * `Checked` is its `CheckedRules`. The result of the check is a type parameter, because the compiler would otherwise
 * evaluate it for each rule that it reads: 52,000 instead of 28,000 instantiations in an app of 200 collections, when
 * this was written.
 */
export type RulesArgument<Rules, Checked> = Checked extends true ? Rules : NoInfer<Checked>

/**
 * True if the inferred rules of a resource are valid. Otherwise the rules as they should be, so that the compiler
 * reports a name that the type `Where` does not have at its place. Without this type, the compiler would compare a rule
 * with `boolean` or a function, report the whole rule, and accept an unknown name beside a known one.
 */
export type CheckedRules<Given, Name extends string, Where> = keyof Given extends AccessOperation
  ? Given extends PlainRules
    ? true
    : CheckedFilters<FilterOf<Given[keyof Given]>, Where> extends true
      ? true
      : CorrectRules<Given, AccessContext<Name>, Where>
  : CorrectRules<Given, AccessContext<Name>, Where>

type CheckedFilters<Filters, Where> = [Filters] extends [Where]
  ? [UnknownNames<Filters, Where>] extends [never]
    ? true
    : false
  : false

/** Rules without a filter, which have no names to check. */
type PlainRules = { readonly [Operation in AccessOperation]?: PlainRule }

type PlainRule = boolean | ((context: never) => Plain | Promise<Plain>)

type Plain = true | Denied

/** The filters that a rule returns. */
type FilterOf<Rule> = Rule extends (context: never) => infer Result
  ? Result extends Plain
    ? never
    : Result extends Promise<infer Settled>
      ? Exclude<Settled, Plain>
      : Result
  : never

/** The names in a filter that the type `Where` does not have. Filters without operators and relations are checked fast. */
type UnknownNames<Filter, Where> = Filter extends FlatFilter
  ? Exclude<keyof Filter, keyof Where>
  : UnknownNamesIn<Filter, Where>

type FlatFilter = { readonly [name: string]: Leaf | readonly Leaf[] }

type UnknownNamesIn<Given, Shape> = Given extends Leaf
  ? never
  : [Shape] extends [Given]
    ? never
    : Given extends readonly (infer Item)[]
      ? UnknownNamesIn<Item, ItemOf<Shape>>
      : [KeyOf<Shape>] extends [never]
        ? never
        : {
            [Name in keyof Given]: Name extends KeyOf<Shape> ? UnknownNamesIn<Given[Name], MemberOf<Shape, Name>> : Name
          }[keyof Given]

/** The rules with the types that they should have. An unknown name gets a sentence as its type. */
type CorrectRules<Given, Context, Where> = {
  [Operation in keyof Given]: Operation extends AccessOperation
    ? Given[Operation] extends (context: never) => infer Result
      ? (context: Context) => CorrectResult<Result, Where>
      : Given[Operation]
    : UnknownName<Operation, AccessOperation>
}

type CorrectResult<Result, Where> =
  Result extends Promise<infer Settled> ? Promise<CorrectVerdict<Settled, Where>> : CorrectVerdict<Result, Where>

type CorrectVerdict<Verdict, Where> = Verdict extends Plain ? Verdict : CorrectFilter<Verdict, Where>

type CorrectFilter<Given, Shape> = Given extends Leaf | readonly Leaf[]
  ? Shape
  : Given extends readonly unknown[]
    ? { [Index in keyof Given]: CorrectFilter<Given[Index], ItemOf<Shape>> }
    : [KeyOf<Shape>] extends [never]
      ? Shape
      : {
          [Name in keyof Given]: Name extends KeyOf<Shape>
            ? CorrectFilter<Given[Name], MemberOf<Shape, Name>>
            : UnknownName<Name, KeyOf<Shape>>
        }

/**
 * The results that the compiler expects of a rule while it infers the type of the rule. They include any object, so that
 * the inferred type has the unknown names as well, for which `CheckedRules` has a better message.
 */
export type RuleResult<Where> = Where | Unchecked | Promise<Where | Unchecked>

type Unchecked = NonNullable<unknown> | null | undefined

/** A sentence that the compiler shows in its message, because no value has this type. */
type UnknownName<Name, Known> = Name extends string
  ? [Similar<Name, Known>] extends [never]
    ? `Unknown name ${Name}.`
    : `Unknown name ${Name}. Did you mean ${Similar<Name, Known>}?`
  : never

// The known names that begin like `Name` and have no other letters, or all of its letters and more.
type Similar<Name extends string, Known> = Known extends string
  ? FirstLetter<Known> extends FirstLetter<Name>
    ? Letters<Known> extends Letters<Name>
      ? Known
      : Letters<Name> extends Letters<Known>
        ? Known
        : never
    : never
  : never

type FirstLetter<Name> = Name extends `${infer First}${string}` ? Lowercase<First> : never

type Letters<Name> = Name extends `${infer First}${infer Rest}` ? Lowercase<First> | Letters<Rest> : never
