/**
 * Three nodes of the service, two PostgreSQL servers under Patroni with etcd, and HAProxy before both:
 * on one machine and in one folder, each as a process of its own that is started again when it dies.
 */
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type Account, chooseAccount, isRoot } from '../../server/src/db/embedded/account.ts';
import type { Programs } from './needed-programs.ts';
import { type Places, readOrMakePlaces } from './places.ts';
import { type Supervised, supervise } from './supervised.ts';

const HERE = import.meta.dirname;
const LOCAL = '127.0.0.1';
/** A first start creates a database, and copies it to the other server. */
const START_LIMIT_MS = 180_000;
const POLL_MS = 200;

/** What runs on a node: the program of the service with its settings. */
export type NodeProgram = { file: string; settings?: Readonly<Record<string, string>> };

export type Example = Awaited<ReturnType<typeof openExample>>;
export type Member = Example['members'][number];
export type ServiceNode = Example['nodes'][number];

export async function openExample(options: {
  folder: string;
  programs: Programs;
  programOf(node: number): NodeProgram;
}) {
  const { folder, programs } = options;
  const account = isRoot() ? chooseAccount() : undefined;
  makeFolder(folder, account);
  const places = await readOrMakePlaces(folder);
  const { password } = places;
  const databaseUrl = `postgres://zhiber:${password}@${LOCAL}:${places.databasePort}/zhiber`;

  const launch = (name: string, command: string, args: readonly string[]): Supervised =>
    supervise({
      ...{ command, args, account, cwd: '/' },
      logFile: path.join(folder, `${name}.log`),
    });

  const etcd = launch('etcd', programs.etcd, etcdFlags(folder, places));
  const haproxy = launch('haproxy', programs.haproxy, ['-f', writeHaproxy(folder, places)]);
  const members = places.members.map((ports, index) => {
    const name = `postgres-${index + 1}`;
    const home = path.join(folder, name);
    makeFolder(home, account);
    const file = writeMember({ name, home, ports, places, programs }, account);
    return { name, ...ports, folder: home, process: launch(name, programs.patroni, [file]) };
  });
  const nodes = places.nodes.map((ports, index) => {
    const name = `node-${index + 1}`;
    const home = path.join(folder, name);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const start = ({ file, settings }: NodeProgram): Supervised => {
      const node = supervise({
        command: process.execPath,
        args: [file, 'serve'],
        // Outside the checkout, whose .env would change the settings.
        cwd: home,
        logFile: path.join(folder, `${name}.log`),
        env: { ...nodeSettings({ home, ports, places, databaseUrl }), ...settings },
      });
      node.start();
      return node;
    };
    return { name, ...ports, folder: home, start, process: undefined as Supervised | undefined };
  });

  const isPrimary = ({ restPort }: (typeof members)[number]) => answers(restPort, '/primary');
  const findPrimary = async () => {
    for (const member of members) if (await isPrimary(member)) return member;
    return undefined;
  };
  /** The standby that commits wait for. */
  const findStandby = async () => {
    for (const member of members) if (await answers(member.restPort, '/sync')) return member;
    return undefined;
  };

  const stop = async () => {
    await Promise.all(nodes.map((node) => node.process?.stop()));
    await haproxy.stop();
    await Promise.all(members.map((member) => member.process.stop()));
    await etcd.stop();
  };

  try {
    etcd.start();
    await until('etcd answers', () => answers(places.etcd.clientPort, '/health'));
    for (const member of members) member.process.start();
    const primary = await until('there is a primary', findPrimary);
    await createDatabase({ port: primary.port, password });
    await until('the standby is in sync', findStandby);
    haproxy.start();
    // One after the other: the first creates what is in the database.
    for (const [index, node] of nodes.entries()) {
      node.process = node.start(options.programOf(index));
      await until(`${node.name} is ready`, () => answers(node.opsPort, '/ready'));
    }
    const url = `http://${LOCAL}:${places.port}`;
    await until('HAProxy has found the nodes', () => answers(places.port, '/api/health'));
    return {
      url,
      databaseUrl,
      ...{ folder, places, members, nodes, findPrimary, findStandby, stop },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function makeFolder(folder: string, account: Account | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
}

function etcdFlags(folder: string, { etcd }: Places): string[] {
  const client = `http://${LOCAL}:${etcd.clientPort}`;
  const peer = `http://${LOCAL}:${etcd.peerPort}`;
  return [
    ...['--data-dir', path.join(folder, 'etcd')],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `default=${peer}`],
  ];
}

function writeHaproxy(folder: string, places: Places): string {
  const servers = (name: string, of: readonly { port: number; checkPort: number }[]) =>
    of
      .map(
        (each, i) => `  server ${name}-${i + 1} ${LOCAL}:${each.port} check port ${each.checkPort}`,
      )
      .join('\n');
  const { nodes, members } = places;
  return fillIn(folder, 'haproxy.cfg', {
    PORT: places.port,
    POSTGRES_PORT: places.databasePort,
    ERROR_FILE: path.join(HERE, '../haproxy/503.http'),
    NODES: servers(
      'node',
      nodes.map(({ port, opsPort }) => ({ port, checkPort: opsPort })),
    ),
    SERVERS: servers(
      'postgres',
      members.map(({ port, restPort }) => ({ port, checkPort: restPort })),
    ),
  });
}

function writeMember(
  member: {
    name: string;
    home: string;
    ports: Places['members'][number];
    places: Places;
    programs: Programs;
  },
  account: Account | undefined,
): string {
  const { name, home, ports, places, programs } = member;
  const file = fillIn(home, 'patroni.yml', {
    NAME: name,
    FOLDER: home,
    REST_PORT: ports.restPort,
    POSTGRES_PORT: ports.port,
    ETCD_PORT: places.etcd.clientPort,
    BIN_FOLDER: programs.postgresFolder,
    PASSWORD: places.password,
  });
  if (account !== undefined) chownSync(file, account.uid, account.gid);
  return file;
}

/** Writes a file of this folder with its `${…}` replaced, and returns where. */
function fillIn(folder: string, name: string, values: Readonly<Record<string, string | number>>) {
  const text = readFileSync(path.join(HERE, name), 'utf8').replaceAll(
    /\$\{(\w+)\}/g,
    (_, key: string) => String(values[key]),
  );
  const file = path.join(folder, name);
  writeFileSync(file, text, { mode: name === 'patroni.yml' ? 0o600 : 0o644 });
  return file;
}

function nodeSettings(node: {
  home: string;
  ports: Places['nodes'][number];
  places: Places;
  databaseUrl: string;
}): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    LANG: process.env.LANG,
    DATA_DIR: node.home,
    DATABASE_URL: node.databaseUrl,
    SECRET: node.places.secret,
    PUBLIC_URL: `http://localhost:${node.places.port}`,
    TRUST_PROXY: LOCAL,
    PORT: String(node.ports.port),
    OPS_PORT: String(node.ports.opsPort),
  };
}

async function createDatabase({
  port,
  password,
}: {
  port: number;
  password: string;
}): Promise<void> {
  const client = new pg.Client({
    host: LOCAL,
    port,
    user: 'postgres',
    password,
    database: 'postgres',
  });
  await client.connect();
  try {
    const { rowCount } = await client.query(`select from pg_database where datname = 'zhiber'`);
    if (rowCount === 1) return;
    await client.query(`create role zhiber login password '${password}'`);
    await client.query('create database zhiber owner zhiber');
  } finally {
    await client.end();
  }
}

async function answers(port: number, address: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(2_000);
    const { ok, body } = await fetch(`http://${LOCAL}:${port}${address}`, { signal });
    await body?.cancel();
    return ok;
  } catch {
    return false;
  }
}

/** Asks until there is an answer that is neither false nor undefined. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | false | undefined>,
  limitMs = START_LIMIT_MS,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await ask();
    if (found !== false && found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`It never happened that ${what}.`);
    await pause(POLL_MS);
  }
}
