import { quote } from "../text/fragment.ts"

export const CHANNELS_TABLE = quote("_kit_channels")
export const CHANNEL_EVENTS_TABLE = quote("_kit_channel_events")
export const CHANNEL_MEMBERS_TABLE = quote("_kit_channel_members")
export const CHANNEL_INSTANCES_TABLE = quote("_kit_channel_instances")

/**
 * The tables of channels. A room's row in `_kit_channels` holds the id of the room's last event. A publisher locks the
 * row until its transaction commits, so event ids are in commit order. Each event holds the id of the previous event,
 * so that a reader notices if events between the two have been deleted.
 */
const CREATE_TABLES = [
  `create table ${CHANNELS_TABLE} (
    room text primary key,
    last_event bigint not null,
    previous_event bigint not null default 0
  ) with (fillfactor = 50)`,
  `create table ${CHANNEL_EVENTS_TABLE} (
    room text not null,
    id bigint not null,
    previous bigint not null,
    event text not null,
    data text not null,
    extended text,
    primary key (room, id)
  )`,
  `create index "_kit_channel_events.id" on ${CHANNEL_EVENTS_TABLE} (id)`,
  `create table ${CHANNEL_MEMBERS_TABLE} (
    room text not null,
    id text not null,
    instance text not null,
    member text not null,
    data text not null,
    extended text,
    joined_at timestamptz not null default now(),
    primary key (room, id)
  )`,
  `create index "_kit_channel_members.instance" on ${CHANNEL_MEMBERS_TABLE} (instance)`,
  `create table ${CHANNEL_INSTANCES_TABLE} (instance text primary key, seen_at timestamptz not null)`,
]

/** Creates the tables that channels use, if they do not exist. */
export const PREPARE_CHANNELS: readonly string[] = [
  `do $$ begin
    if to_regclass(quote_ident(current_schema()) || '.${CHANNELS_TABLE}') is null then
      ${CREATE_TABLES.join(";\n      ")};
    end if;
  end $$`,
]
