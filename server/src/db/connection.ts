/** Where the database is, and clients that connect to it: with several hosts, to the primary. */
import pg from 'pg';

export type Host = { host: string; port: number };

/** The servers of a replicated database. `primary` is the one that took writes when last asked. */
export type Hosts = { all: readonly Host[]; primary?: Host | undefined; search?: Promise<Host> };

export type Connection =
  | { connectionString: string; hosts?: Hosts }
  | { host: string; port: number; user: string; password?: string; database: string };

type ClientOptions = pg.ClientConfig & { hosts?: Hosts };

/**
 * For connections that no caller waits for: a start on a busy machine must not fail because of a
 * slow one.
 */
export const LONG_CONNECT_TIMEOUT_MS = 10_000;
const PORT_DEFAULT = 5_432;
/** A host that is switched off does not even refuse. */
const SEARCH_TIMEOUT_MS = 1_000;

/** No host accepts writes, as between the end of a primary and the promotion of a standby. */
class NoPrimary extends Error {
  /** SQLSTATE cannot_connect_now. */
  readonly code = '57P03';
}

const ADDRESS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/;

/** The address of one server, or of several as in `postgres://a:5432,b:5432/database`. */
export function toConnection(url: string): Extract<Connection, { connectionString: string }> {
  const [, head = '', hosts = '', tail = ''] = ADDRESS.exec(url) ?? [];
  const query = new URLSearchParams(tail.split('?')[1]);
  // The other way that libpq knows; the folders of Unix sockets can be written in no other.
  const names = query.get('host')?.split(',') ?? [];
  if (names.length > 1) {
    const ports = query.get('port')?.split(',') ?? [];
    const all = names.map((host, i) => ({
      host,
      port: Number(ports[i] ?? ports[0] ?? PORT_DEFAULT),
    }));
    query.set('host', names[0] as string);
    query.set('port', String(all[0]?.port));
    return { connectionString: `${head}${tail.split('?')[0]}?${query}`, hosts: { all } };
  }
  const parts = hosts.split(',');
  if (parts.length === 1) return { connectionString: url };
  const all = parts.map((part) => {
    const { hostname, port } = new URL(`postgres://${part}`);
    return { host: hostname, port: Number(port || PORT_DEFAULT) };
  });
  return { connectionString: head + parts[0] + tail, hosts: { all } };
}

/** A client that connects to the primary, and fails when the server has become a standby. */
export class PrimaryClient extends pg.Client {
  readonly #options: ClientOptions;
  #isStandby = false;

  constructor(options: ClientOptions) {
    super(options);
    this.#options = options;
    // The query under way fails with the same reason. A connection that is lost just when it is made
    // reports it before the pool listens, and would end the process.
    this.on('error', () => undefined);
    // The server says so at the start of a connection, and when it changes.
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter };
    connection.on(
      'parameterStatus',
      (status: { parameterName: string; parameterValue: string }) => {
        if (status.parameterName === 'in_hot_standby')
          this.#isStandby = status.parameterValue === 'on';
      },
    );
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const connected = this.#connectToPrimary();
    if (callback === undefined) return connected;
    connected.then(() => (callback as () => void)(), callback);
    return undefined;
  }

  async #connectToPrimary(): Promise<this> {
    const { hosts } = this.#options;
    if (hosts === undefined) {
      await super.connect();
      return this;
    }
    try {
      const primary = hosts.primary ?? (await findPrimary(this.#options, hosts));
      this.#useHost(primary);
      await super.connect();
      if (this.#isStandby) {
        await this.end();
        throw new NoPrimary(`${primary.host} has become a standby`);
      }
      return this;
    } catch (error) {
      hosts.primary = undefined;
      throw error;
    }
  }

  #useHost({ host, port }: Host): void {
    const { connection } = this as unknown as { connection: { stream: { destroyed: boolean } } };
    // The pool has given up meanwhile.
    if (connection.stream.destroyed)
      throw new Error('Connection terminated due to connection timeout');
    Object.assign(this, { host, port });
  }

  /** Connects to one host, whatever it is. */
  async connectTo(host: Host): Promise<void> {
    this.#useHost(host);
    await super.connect();
  }
}

/** Asks all hosts at once. All that fail to connect wait for one search. */
async function findPrimary(options: ClientOptions, hosts: Hosts): Promise<Host> {
  hosts.search ??= search(options, hosts.all).finally(() => {
    delete hosts.search;
  });
  hosts.primary = await hosts.search;
  return hosts.primary;
}

async function search(options: ClientOptions, all: readonly Host[]): Promise<Host> {
  const asked = await Promise.allSettled(all.map((host) => readTimeline(options, host)));
  const primaries = asked.flatMap((answer, i) =>
    answer.status === 'fulfilled' && answer.value !== undefined
      ? [{ host: all[i] as Host, timeline: answer.value }]
      : [],
  );
  // An old primary that does not know yet that it was replaced has the lower timeline.
  const [primary] = primaries.toSorted((a, b) => b.timeline - a.timeline);
  if (primary !== undefined) return primary.host;
  const failure = asked.find((answer) => answer.status === 'rejected');
  // A wrong password is the same on all hosts, and is said as it is.
  if (asked.every((answer) => answer.status === 'rejected')) throw failure?.reason;
  throw new NoPrimary('no server of DATABASE_URL accepts writes now');
}

/** The timeline of a server that accepts writes. */
async function readTimeline(options: ClientOptions, host: Host): Promise<number | undefined> {
  const client = new PrimaryClient({
    ...options,
    connectionTimeoutMillis: SEARCH_TIMEOUT_MS,
    query_timeout: SEARCH_TIMEOUT_MS,
    application_name: 'zhiber search',
  });
  await client.connectTo(host);
  try {
    const { rows } = await client.query<{ timeline: string | null }>(
      `select case when not pg_is_in_recovery() and not current_setting('transaction_read_only')::boolean
         then substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`,
    );
    const timeline = rows[0]?.timeline;
    return timeline === null || timeline === undefined ? undefined : Number.parseInt(timeline, 16);
  } finally {
    await client.end();
  }
}
