// Written by kit generate; changes are lost.
// @ts-nocheck
import type {
  AccessContext,
  CollectionSteps,
} from "kit"

import type {
  ChangedContext,
  ChangingContext,
  CheckedRules,
  CreatingContext,
  DeclaredFieldsOf,
  FieldSet,
  FormOf,
  IndexDefinition,
  ListOf,
  OtherHooks,
  PreviewOf,
  PrivateRules,
  ResourceOptions,
  RuleResult,
  RulesArgument,
  SearchableOf,
  SelectedRecord,
  UncheckedInput,
} from "kit/generated"

import type {
  TodosRecord,
  TodosTypes,
  TodosWhere,
  UsersRecord,
  UsersTypes,
  UsersWhere,
} from "./index.js"

export interface TodosChange {
  title?: string
  done?: boolean
}

export interface TodosData extends TodosChange {
  title: string
  done: boolean
}

export interface TodosRow {
  readonly id: string
  readonly title: string
  readonly done: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface TodosResource {
  where: TodosWhere
  input: UncheckedInput<TodosData>
  data: TodosData
  change: TodosChange
  row: TodosRow
  firstOriginal: never
  readable: TodosRecord
  shown: SelectedRecord<TodosRecord, {}>
}

export interface TodosReferrers {}

export type TodosRule = boolean | ((context: AccessContext<"todos">) => RuleResult<TodosWhere>)

export interface TodosAccess {
  read?: TodosRule
  create?: TodosRule
  update?: TodosRule
  delete?: TodosRule
  restore?: TodosRule
  purge?: TodosRule
  versions?: TodosRule
  transition?: TodosRule
  drafts?: TodosRule
  upload?: TodosRule
  serve?: TodosRule
  introspect?: TodosRule
}

export interface TodosBeforeChange {
  (context: CreatingContext<TodosData> | ChangingContext<TodosChange, TodosRow>): void
}

export interface TodosAfterChange {
  (context: ChangedContext<TodosRow>): void
}

export interface TodosHooks extends OtherHooks<TodosResource> {
  beforeChange?: TodosBeforeChange | ArrayLike<TodosBeforeChange>
  afterChange?: TodosAfterChange | ArrayLike<TodosAfterChange>
}

export interface TodosCollection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<TodosRecord, TodosReferrers> }) => DeclaredFieldsOf<TodosWhere>): TodosCollection
  title(field: "title"): TodosCollection
  searchable<With = never>(searchable: SearchableOf<TodosTypes, TodosRow, With, { field: "title"; title: "title"; facet: "title" | "done" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"title" | "done" | "createdAt" | "updatedAt">[]): this
  access<Rules extends TodosAccess, Checked = CheckedRules<Rules, "todos", TodosWhere>>(rules: RulesArgument<Rules, Checked>): TodosCollection
  hooks(hooks: TodosHooks): TodosCollection
  options(options: ResourceOptions): TodosCollection
  list(list: ListOf<TodosTypes>): TodosCollection
  form(layout: FormOf<TodosTypes>): TodosCollection
  preview(urlOf: PreviewOf<TodosRecord, never>): TodosCollection
}

export interface UsersChange {
  name?: string
  email?: string
  emailVerified?: boolean
  image?: string | null
  role?: string
  banned?: boolean
  banReason?: string | null
  banExpires?: Date | null
}

export interface UsersData extends UsersChange {
  name: string
  email: string
  emailVerified: boolean
  role: string
  banned: boolean
}

export interface UsersRow {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly emailVerified: boolean
  readonly image: string | null
  readonly role: string
  readonly banned: boolean
  readonly banReason: string | null
  readonly banExpires: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface UsersResource {
  where: UsersWhere
  input: UncheckedInput<UsersData>
  data: UsersData
  change: UsersChange
  row: UsersRow
  firstOriginal: never
  readable: UsersRecord
  shown: SelectedRecord<UsersRecord, {}>
}

export interface UsersReferrers {}

export type UsersRule = boolean | ((context: AccessContext<"users">) => RuleResult<UsersWhere>)

export interface UsersAccess {
  read?: UsersRule
  create?: UsersRule
  update?: UsersRule
  delete?: UsersRule
  restore?: UsersRule
  purge?: UsersRule
  versions?: UsersRule
  transition?: UsersRule
  drafts?: UsersRule
  upload?: UsersRule
  serve?: UsersRule
  introspect?: UsersRule
}

export interface UsersBeforeChange {
  (context: CreatingContext<UsersData> | ChangingContext<UsersChange, UsersRow>): void
}

export interface UsersAfterChange {
  (context: ChangedContext<UsersRow>): void
}

export interface UsersHooks extends OtherHooks<UsersResource> {
  beforeChange?: UsersBeforeChange | ArrayLike<UsersBeforeChange>
  afterChange?: UsersAfterChange | ArrayLike<UsersAfterChange>
}

export interface UsersCollection extends CollectionSteps {
  fields(declare: (tools: { f: FieldSet<UsersRecord, UsersReferrers> }) => DeclaredFieldsOf<UsersWhere>): UsersCollection
  title(field: "name" | "email" | "image" | "role" | "banReason"): UsersCollection
  searchable<With = never>(searchable: SearchableOf<UsersTypes, UsersRow, With, { field: "name" | "email" | "image" | "role" | "banReason"; title: "name" | "email" | "image" | "role" | "banReason"; facet: "name" | "email" | "emailVerified" | "image" | "role" | "banned" | "banReason" | "banExpires" | "createdAt" | "updatedAt" }>): this
  indexes(indexes: readonly IndexDefinition<"name" | "email" | "emailVerified" | "image" | "role" | "banned" | "banReason" | "banExpires" | "createdAt" | "updatedAt">[]): this
  access<Rules extends UsersAccess, Checked = CheckedRules<Rules, "users", UsersWhere>>(rules: RulesArgument<Rules, Checked>): UsersCollection
  hooks(hooks: UsersHooks): UsersCollection
  options(options: ResourceOptions): UsersCollection
  list(list: ListOf<UsersTypes>): UsersCollection
  form(layout: FormOf<UsersTypes>): UsersCollection
  preview(urlOf: PreviewOf<UsersRecord, never>): UsersCollection
  privateAccess(reads: PrivateRules): UsersCollection
}

export interface AppResources {
  todos: TodosResource
  users: UsersResource
}

export interface AppCollectionBuilders {
  todos: TodosCollection
  users: UsersCollection
}

export interface AppGlobalBuilders {}
