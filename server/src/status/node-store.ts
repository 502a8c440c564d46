import type { ProcessRole } from '../config/values.ts';
import type { Sql } from '../db/sql.ts';
import type { LiveNode } from '../runtime/live-nodes.ts';

/** A provider as one node sees it. */
export type SeenProvider = {
  name: string;
  circuit: 'closed' | 'open';
  inFlight: number;
  /** Whether it says that it can carry messages, and why; null where it does not know. */
  isUp: boolean | null;
  detail: string | null;
  answerMsP99: number | null;
};

/** Null in nodes of the release before. */
export type NodeKind = {
  mode: string | null;
  role: ProcessRole | null;
  host: string | null;
  pid: number | null;
};

export type NodeState = NodeKind & {
  node: string;
  version: string;
  startedAt: Date;
  seenAt: Date;
  providers: SeenProvider[];
};

/** A node that has not been seen for so long is gone for people: it writes many times within it. */
const GONE_SECONDS = 60;
/** For limits it is gone much sooner: until then the others leave less than the limit. */
const LIVE_SECONDS = 10;

/** Saves the state of a node, and returns the others that run now. */
export async function saveNode(sql: Sql, state: Omit<NodeState, 'seenAt'>): Promise<LiveNode[]> {
  return await sql.query(
    `with own as (
       insert into node_state (node, version, mode, role, host, pid, started_at, seen_at, providers)
       values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), $8)
       on conflict (node) do update set version = excluded.version, mode = excluded.mode, role = excluded.role,
         host = excluded.host, pid = excluded.pid, started_at = excluded.started_at,
         seen_at = excluded.seen_at, providers = excluded.providers
     )
     select version, role from node_state
     where node <> $1 and seen_at > clock_timestamp() - make_interval(secs => ${LIVE_SECONDS})`,
    [
      ...[state.node, state.version, state.mode, state.role, state.host, state.pid],
      ...[state.startedAt, JSON.stringify(state.providers)],
    ],
    'save-node',
  );
}

/** Removes a node that stops, and those that are gone for good. */
export async function removeNode(sql: Sql, node: string): Promise<void> {
  await sql.query(
    `delete from node_state where node = $1 or seen_at < clock_timestamp() - interval '1 day'`,
    [node],
  );
}

/** The nodes that run now. */
export async function listNodes(sql: Sql): Promise<NodeState[]> {
  return await sql.query<NodeState>(
    `select node, version, mode, role, host, pid, started_at as "startedAt", seen_at as "seenAt", providers
     from node_state where seen_at > clock_timestamp() - make_interval(secs => ${GONE_SECONDS})
     order by node`,
  );
}

/** The versions of the nodes that run now: what one of them still uses must not be dropped. */
export async function listLiveVersions(sql: Sql): Promise<string[]> {
  const nodes = await listNodes(sql);
  return [...new Set(nodes.map(({ version }) => version))].toSorted();
}

/** How many messages a provider answered in each way. */
export type Answers = {
  accepted: number;
  refused: number;
  unavailable: number;
  unknown: number;
  skipped: number;
};

/** Adds the answers that one node got to the current minute. */
export async function addAnswers(
  sql: Sql,
  rows: readonly (Answers & { provider: string })[],
): Promise<void> {
  await sql.query(
    `insert into provider_minute as p (minute, provider, accepted, refused, unavailable, unknown, skipped)
     select date_trunc('minute', statement_timestamp()), i.* from jsonb_to_recordset($1) as i(provider text,
       accepted integer, refused integer, unavailable integer, unknown integer, skipped integer)
     -- Nodes that write at once take the rows in the same order.
     order by i.provider
     on conflict (minute, provider) do update set accepted = p.accepted + excluded.accepted,
       refused = p.refused + excluded.refused, unavailable = p.unavailable + excluded.unavailable,
       unknown = p.unknown + excluded.unknown, skipped = p.skipped + excluded.skipped`,
    [JSON.stringify(rows)],
    'add-provider-answers',
  );
}

/** By provider, over all nodes. */
export async function sumAnswers(
  sql: Sql,
  hours: number,
): Promise<(Answers & { provider: string })[]> {
  return await sql.query<Answers & { provider: string }>(
    `select provider, sum(accepted)::bigint as accepted, sum(refused)::bigint as refused,
       sum(unavailable)::bigint as unavailable, sum(unknown)::bigint as unknown, sum(skipped)::bigint as skipped
     from provider_minute where minute > clock_timestamp() - make_interval(hours => $1)
     group by provider`,
    [hours],
  );
}
