// Written by kit generate; changes are lost.
import { type App, type AppParts, type OpenOptions, openDefinition } from "kit"
import _kit_config from "../../kit.config.js"
import _collections_articles from "../collections/articles.js"
import _collections_comments from "../collections/comments.js"
import _collections_invites from "../collections/invites.js"
import _collections_memberships from "../collections/memberships.js"
import _collections_tags from "../collections/tags.js"
import _collections_teams from "../collections/teams.js"
import _collections_users from "../collections/users.js"
import _emails_digest from "../emails/digest.js"
import _emails_invite from "../emails/invite.js"
import _globals_settings from "../globals/settings.js"
import _jobs_dailyDigest from "../jobs/dailyDigest.js"
import _jobs_notifyTeam from "../jobs/notifyTeam.js"
import _jobs_teamDigest from "../jobs/teamDigest.js"
import _routes_articles_publish from "../routes/articles/publish.js"
import _routes_stats from "../routes/stats.js"
import _routes_teams_invite from "../routes/teams/invite.js"
import _routes_teams_join from "../routes/teams/join.js"
import _services_clock from "../services/clock.js"

/** Everything that the files of the app declare. */
export const definition: AppParts = {
  config: _kit_config,
  resources: [
    { file: "src/collections/articles", definition: _collections_articles.definition },
    { file: "src/collections/comments", definition: _collections_comments.definition },
    { file: "src/collections/invites", definition: _collections_invites.definition },
    { file: "src/collections/memberships", definition: _collections_memberships.definition },
    { file: "src/collections/tags", definition: _collections_tags.definition },
    { file: "src/collections/teams", definition: _collections_teams.definition },
    { file: "src/collections/users", definition: _collections_users.definition },
    { file: "src/globals/settings", definition: _globals_settings.definition },
  ],
  routes: [
    { file: "src/routes/articles/publish.ts", path: "articles/publish", definition: _routes_articles_publish.definition },
    { file: "src/routes/stats.ts", path: "stats", definition: _routes_stats.definition },
    { file: "src/routes/teams/invite.ts", path: "teams/invite", definition: _routes_teams_invite.definition },
    { file: "src/routes/teams/join.ts", path: "teams/join", definition: _routes_teams_join.definition },
  ],
  services: [
    { file: "src/services/clock", key: "clock", definition: _services_clock.definition },
  ],
  emails: [
    { file: "src/emails/digest", key: "digest", definition: _emails_digest.definition },
    { file: "src/emails/invite", key: "invite", definition: _emails_invite.definition },
  ],
  jobs: [
    { file: "src/jobs/dailyDigest", key: "dailyDigest", definition: _jobs_dailyDigest.definition },
    { file: "src/jobs/notifyTeam", key: "notifyTeam", definition: _jobs_notifyTeam.definition },
    { file: "src/jobs/teamDigest", key: "teamDigest", definition: _jobs_teamDigest.definition },
  ],
}

/** Opens the app; its `stop` closes it again. */
export function openApp(options: OpenOptions = {}): Promise<App> {
  return openDefinition(definition, options)
}
