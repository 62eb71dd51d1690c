// Written by kit generate; changes are lost.
// @ts-nocheck
import type {
  CallOptions,
  Direction,
  Page,
} from "kit/client"
import type {
  ChoiceFilter,
  ClientOptions,
  ClientWrites,
  ColumnsOption,
  CountAndWrites,
  CursorValue,
  ExactGroup,
  GroupByOptions,
  IdFilter,
  LiveCollection,
  LocaleOptionsOf,
  OrderedFilter,
  PageOf,
  PageOptions,
  PageOrOffset,
  Reads,
  RelationInput,
  Selected,
  TextFilter,
  WithCursors,
  WithOption,
} from "kit/generated"
import type {} from "./register.js"

export type AppLocale = "en"

export interface TodosRecord {
  id: string
  title: string
  done: boolean
  createdAt: Date
  updatedAt: Date
}

export interface TodosCreate extends TodosUpdate {
  title: string
}

export interface TodosUpdate {
  title?: string
  done?: boolean
}

export interface TodosWhere {
  id?: IdFilter
  title?: TextFilter
  done?: ChoiceFilter<boolean>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly TodosWhere[]
  OR?: readonly TodosWhere[]
  NOT?: TodosWhere
}

export interface TodosOrderBy {
  id?: Direction
  title?: Direction
  done?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export type TodosColumns = { [Name in keyof TodosRecord]?: boolean }

export type TodosWith = Record<string, never>

export type TodosRelations = Record<string, never>

export type TodosReference = RelationInput<TodosCreate, Pick<TodosRecord, "id">>

export interface TodosTypes {
  record: TodosRecord
  create: TodosCreate
  update: TodosUpdate
  where: TodosWhere
  orderBy: TodosOrderBy
  columns: TodosColumns
  with: TodosWith
  relations: TodosRelations
  locale: AppLocale
  byLocale: TodosTypes
  expectedRevision: never
  stage: never
  includeDeleted: never
  client: TodosClient
}

export interface UsersRecord {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image: string | null
  role: string
  banned: boolean
  banReason: string | null
  banExpires: Date | null
  createdAt: Date
  updatedAt: Date
}

export interface UsersCreate extends UsersUpdate {
  name: string
  email: string
}

export interface UsersUpdate {
  name?: string
  email?: string
  emailVerified?: boolean
  image?: string | null
  role?: string
  banned?: boolean
  banReason?: string | null
  banExpires?: Date | string | null
}

export interface UsersWhere {
  id?: IdFilter
  name?: TextFilter
  email?: TextFilter
  emailVerified?: ChoiceFilter<boolean>
  image?: TextFilter
  role?: TextFilter
  banned?: ChoiceFilter<boolean>
  banReason?: TextFilter
  banExpires?: OrderedFilter<Date | string>
  createdAt?: OrderedFilter<Date | string>
  updatedAt?: OrderedFilter<Date | string>
  AND?: readonly UsersWhere[]
  OR?: readonly UsersWhere[]
  NOT?: UsersWhere
}

export interface UsersOrderBy {
  id?: Direction
  name?: Direction
  email?: Direction
  emailVerified?: Direction
  image?: Direction
  role?: Direction
  banned?: Direction
  banReason?: Direction
  banExpires?: Direction
  createdAt?: Direction
  updatedAt?: Direction
}

export type UsersColumns = { [Name in keyof UsersRecord]?: boolean }

export type UsersWith = Record<string, never>

export type UsersRelations = Record<string, never>

export type UsersReference = RelationInput<UsersCreate, Pick<UsersRecord, "id" | "email">>

export interface UsersTypes {
  record: UsersRecord
  create: UsersCreate
  update: UsersUpdate
  where: UsersWhere
  orderBy: UsersOrderBy
  columns: UsersColumns
  with: UsersWith
  relations: UsersRelations
  locale: AppLocale
  byLocale: UsersTypes
  expectedRevision: never
  stage: never
  includeDeleted: never
  client: UsersClient
}

export type TodosGroup = keyof TodosOrderBy | GroupByOptions<keyof TodosOrderBy> | undefined

export interface TodosFindOptions extends PageOptions {
  where?: TodosWhere | undefined
  orderBy?: TodosOrderBy | readonly TodosOrderBy[] | undefined
  includeDeleted?: undefined
}

export interface TodosFind<With, Columns, Group> extends TodosFindOptions {
  with?: WithOption<TodosTypes, With>
  columns?: ColumnsOption<TodosTypes, Columns>
  locale?: AppLocale | "*" | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface TodosOperations extends Reads, CountAndWrites<TodosTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends TodosWith = never, const Columns extends TodosColumns = never, const Group extends TodosGroup = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: TodosFind<With, Columns, Group> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<With | Columns | Group extends never ? Page<TodosRecord> : PageOf<TodosTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends TodosWith = never, const Columns extends TodosColumns = never, PageNumber extends number | undefined = undefined>(
    options?: TodosFind<With, Columns, never> & PageOrOffset<PageNumber>,
  ): Promise<(With | Columns extends never ? TodosRecord : Selected<TodosTypes, With, Columns>) | null>
}

export interface TodosClient extends Reads, ClientWrites<TodosTypes, ClientOptions<AppLocale>>, LiveCollection<TodosTypes> {
  find<const With extends TodosWith = never, const Columns extends TodosColumns = never, const Group extends TodosGroup = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: TodosFind<With, Columns, Group> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<With | Columns | Group extends never ? Page<TodosRecord> : PageOf<TodosTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends TodosWith = never, const Columns extends TodosColumns = never, PageNumber extends number | undefined = undefined>(
    options?: TodosFind<With, Columns, never> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<(With | Columns extends never ? TodosRecord : Selected<TodosTypes, With, Columns>) | null>
}

export type UsersGroup = keyof UsersOrderBy | GroupByOptions<keyof UsersOrderBy> | undefined

export interface UsersFindOptions extends PageOptions {
  where?: UsersWhere | undefined
  orderBy?: UsersOrderBy | readonly UsersOrderBy[] | undefined
  includeDeleted?: undefined
}

export interface UsersFind<With, Columns, Group> extends UsersFindOptions {
  with?: WithOption<UsersTypes, With>
  columns?: ColumnsOption<UsersTypes, Columns>
  locale?: AppLocale | "*" | undefined
  groupBy?: Group & NoInfer<ExactGroup<Group>>
}

export interface UsersOperations extends Reads, CountAndWrites<UsersTypes, LocaleOptionsOf<AppLocale>> {
  find<const With extends UsersWith = never, const Columns extends UsersColumns = never, const Group extends UsersGroup = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: UsersFind<With, Columns, Group> & PageOrOffset<PageNumber, Cursor>,
  ): Promise<WithCursors<With | Columns | Group extends never ? Page<UsersRecord> : PageOf<UsersTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends UsersWith = never, const Columns extends UsersColumns = never, PageNumber extends number | undefined = undefined>(
    options?: UsersFind<With, Columns, never> & PageOrOffset<PageNumber>,
  ): Promise<(With | Columns extends never ? UsersRecord : Selected<UsersTypes, With, Columns>) | null>
}

export interface UsersClient extends Reads, ClientWrites<UsersTypes, ClientOptions<AppLocale>>, LiveCollection<UsersTypes> {
  find<const With extends UsersWith = never, const Columns extends UsersColumns = never, const Group extends UsersGroup = never, PageNumber extends number | undefined = undefined, Cursor extends CursorValue = undefined>(
    options?: UsersFind<With, Columns, Group> & PageOrOffset<PageNumber, Cursor>, call?: CallOptions,
  ): Promise<WithCursors<With | Columns | Group extends never ? Page<UsersRecord> : PageOf<UsersTypes, With, Columns, Group>, Cursor>>
  findOne<const With extends UsersWith = never, const Columns extends UsersColumns = never, PageNumber extends number | undefined = undefined>(
    options?: UsersFind<With, Columns, never> & PageOrOffset<PageNumber>, call?: CallOptions,
  ): Promise<(With | Columns extends never ? UsersRecord : Selected<UsersTypes, With, Columns>) | null>
}

export interface AppCollections {
  todos: TodosOperations
  users: UsersOperations
}

export interface AppGlobals {}

export interface AppSystemCollections extends AppCollections {}

export interface AppSystemGlobals extends AppGlobals {}

export interface AppUser {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image: string | null
  role: string
  createdAt: Date
  updatedAt: Date
}

export interface AppConfig {
  auth: {
    user: AppUser
    signUp: {}
    update: {}
  }
  collections: {
    todos: TodosTypes
    users: UsersTypes
  }
  globals: {}
  locale: AppLocale
  routes: {}
}
