export type { App } from "./app/app.ts"
export type { BusConfig } from "./app/config/bus-config.ts"
export {
  type AuthConfig,
  type DatabaseConfig,
  defineConfig,
  type KitConfig,
  type LimitsConfig,
  type ProviderConfig,
} from "./app/config/config.ts"
export type { KeyValueConfig, RedisConfig } from "./app/config/key-value-config.ts"
export type { MailConfig, SmtpConfig } from "./app/config/mail-config.ts"
export { pathBelow } from "./app/config/path-below.ts"
export type { QueueConfig } from "./app/config/queue-config.ts"
export { createApp } from "./app/create-app.ts"
export type { AppApi, SystemApi } from "./app/definition/app-api.ts"
export type { AppDefinition, AppMode } from "./app/definition/app-definition.ts"
export { AppMistakesError } from "./app/definition/app-mistakes.ts"
export { type Seed, type SeedContext, seed } from "./app/handlers/run-seeds.ts"
export type { OpenOptions } from "./app/open-definition.ts"
export { answerNodeRequest, type NodeExchange } from "./drivers/node/exchange.ts"
export { type NodeServer, type NodeServerOptions, startNodeServer } from "./drivers/node/server.ts"
export { signedCookieSessions } from "./drivers/sessions/signed-cookie-sessions.ts"
export type { NewUser, UserAccounts } from "./features/auth/accounts/user-accounts.ts"
export type { FetchHandler, RequestOrigin } from "./http/fetch-handler.ts"
export type { KeyValueStore } from "./ports/key-value-store.ts"
export type { Logger } from "./ports/logger.ts"
export type { Mail, MailSender, MailTransport } from "./ports/mail-transport.ts"
export type {
  AdapterHit,
  AdapterQuery,
  SearchAdapter,
  SearchDocument,
  SearchDocumentKey,
} from "./ports/search-adapter.ts"
export type { Session, SessionProvider } from "./ports/session-provider.ts"
export type { AccessContext, AccessRule, AccessRules, FieldAccess, FieldRule } from "./schema/access/access.ts"
export { signedIn } from "./schema/access/signed-in.ts"
export { Channel, type ChannelContext, type ChannelPublishContext, channel } from "./schema/builders/channel.ts"
export { Collection, CollectionSteps, collection } from "./schema/builders/collection.ts"
export { type EmailContent, type EmailInput, EmailTemplate, email } from "./schema/builders/email.ts"
export type { DeclaredField } from "./schema/builders/field.ts"
export { Global, global } from "./schema/builders/global.ts"
export type {
  AfterChangeContext,
  AfterReadContext,
  BeforeChangeContext,
  BeforeReadContext,
  BeforeValidateContext,
  DeleteContext,
  Hooks,
} from "./schema/builders/hooks.ts"
export { Job, type JobContext, type JobOptions, job } from "./schema/builders/job.ts"
export {
  type CheckedRouteContext,
  Route,
  type RouteAccess,
  type RouteAccessContext,
  type RouteContext,
  route,
  TypedRoute,
} from "./schema/builders/route.ts"
export { type IdentityFields, Users, users } from "./schema/builders/users.ts"
export type { AnySchema, StandardSchema } from "./schema/compile/validation.ts"
export type {
  AnyPromise,
  AppFacts,
  HandlerContext,
  SignedInContext,
  SystemContext,
} from "./schema/context/handler-context.ts"
export type { JobPublisher, PublishedJob, PublishOptions } from "./schema/context/job-publisher.ts"
export type { KeyValues, TtlOptions } from "./schema/context/key-values.ts"
export type { Mailer, NewMail, NewTemplateMail } from "./schema/context/mailer.ts"
export * from "./schema/context/register.ts"
export { richTextVocabulary, type VocabularyOptions } from "./schema/rich-text/vocabulary.ts"
export { escapeHtml } from "./wire/codecs/escape-html.ts"
export { ApiError, type ApiErrorShape, type ErrorCode, type FieldError } from "./wire/errors/api-error.ts"
export type {
  AppIndex,
  CollectionMeta,
  CollectionSchema,
  GlobalMeta,
  GlobalSchema,
  RecordAccess,
} from "./wire/results/introspection.ts"
export type { AnyMessage, ChannelPublisher, PublishedEvent, UntypedChannel } from "./wire/typed/typed-channels.ts"
