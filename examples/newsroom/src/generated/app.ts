// Written by kit generate; changes are lost.
// @ts-nocheck
import type { App, OpenOptions } from "kit"
import { type AppDeclarations, openDefinition } from "kit/generated"
import _kit_config from "../../kit.config.ts"
import _channels_desk from "../channels/desk.ts"
import _collections_articles from "../collections/articles.ts"
import _collections_comments from "../collections/comments.ts"
import _collections_invites from "../collections/invites.ts"
import _collections_media from "../collections/media.ts"
import _collections_memberships from "../collections/memberships.ts"
import _collections_pages from "../collections/pages.ts"
import _collections_tags from "../collections/tags.ts"
import _collections_teams from "../collections/teams.ts"
import _collections_users from "../collections/users.ts"
import _emails_digest from "../emails/digest.ts"
import _emails_invite from "../emails/invite.ts"
import _globals_settings from "../globals/settings.ts"
import _jobs_dailyDigest from "../jobs/dailyDigest.ts"
import _jobs_notifyTeam from "../jobs/notifyTeam.ts"
import _jobs_teamDigest from "../jobs/teamDigest.ts"
import _routes_articles_publish from "../routes/articles/publish.ts"
import _routes_stats from "../routes/stats.ts"
import _routes_teams_invite from "../routes/teams/invite.ts"
import _routes_teams_join from "../routes/teams/join.ts"
import _services_clock from "../services/clock.ts"

/** Everything that the files of the app declare. */
export const definition: AppDeclarations = {
  config: _kit_config,
  resources: [
    { file: "src/collections/articles.ts", definition: _collections_articles.definition },
    { file: "src/collections/comments.ts", definition: _collections_comments.definition },
    { file: "src/collections/invites.ts", definition: _collections_invites.definition },
    { file: "src/collections/media.ts", definition: _collections_media.definition },
    { file: "src/collections/memberships.ts", definition: _collections_memberships.definition },
    { file: "src/collections/pages.ts", definition: _collections_pages.definition },
    { file: "src/collections/tags.ts", definition: _collections_tags.definition },
    { file: "src/collections/teams.ts", definition: _collections_teams.definition },
    { file: "src/collections/users.ts", definition: _collections_users.definition },
    { file: "src/globals/settings.ts", definition: _globals_settings.definition },
  ],
  routes: [
    { file: "src/routes/articles/publish.ts", path: "articles/publish", definition: _routes_articles_publish.definition },
    { file: "src/routes/stats.ts", path: "stats", definition: _routes_stats.definition },
    { file: "src/routes/teams/invite.ts", path: "teams/invite", definition: _routes_teams_invite.definition },
    { file: "src/routes/teams/join.ts", path: "teams/join", definition: _routes_teams_join.definition },
  ],
  services: [
    { file: "src/services/clock.ts", key: "clock", definition: _services_clock.definition },
  ],
  emails: [
    { file: "src/emails/digest.ts", key: "digest", definition: _emails_digest.definition },
    { file: "src/emails/invite.ts", key: "invite", definition: _emails_invite.definition },
  ],
  jobs: [
    { file: "src/jobs/dailyDigest.ts", key: "dailyDigest", definition: _jobs_dailyDigest.definition },
    { file: "src/jobs/notifyTeam.ts", key: "notifyTeam", definition: _jobs_notifyTeam.definition },
    { file: "src/jobs/teamDigest.ts", key: "teamDigest", definition: _jobs_teamDigest.definition },
  ],
  channels: [
    { file: "src/channels/desk.ts", key: "desk", definition: _channels_desk.definition },
  ],
}

/** Opens the app; its `stop` closes it again. */
export function openApp(options: OpenOptions = {}): Promise<App> {
  return openDefinition(definition, options)
}
