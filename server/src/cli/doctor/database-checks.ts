import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../config/config.ts';
import { toConnection } from '../../db/connection.ts';
import { type EmbeddedDatabase, findPendingUpgrade, openEmbedded } from '../../db/embedded.ts';
import { readSchema } from '../../db/migrate.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import { describeOtherMode } from '../../installation/mode.ts';
import { findSecret } from '../../installation/open-secrets.ts';
import { deriveSecrets } from '../../secrets.ts';
import type { NodeState } from '../../status/node-store.ts';
import { VERSION } from '../../version.ts';
import { type Check, failed, passed, warned } from './check.ts';
import type { DoctorTexts } from './doctor-texts.ts';
import { checkServer } from './server-checks.ts';
import { type DatabaseState, readDatabaseState } from './state-store.ts';

const VERSION_MIN = 150_000;
/** Codes and limits expire by the database's clock, which people compare with their own. */
const CLOCK_DIFFERENCE_MAX_MS = 2_000;
/** After a minute the account of a busy company has thousands of versions that cannot be removed. */
const SNAPSHOT_MINUTES_MAX = 5;
/** A day, and the time that a nightly backup may take. */
const BACKUP_HOURS_MAX = 26;

/**
 * Checks the database, and finds the servers that run on it. An embedded one is started if needed,
 * but never created or migrated.
 */
export async function checkDatabase(
  config: Config,
  texts: DoctorTexts,
): Promise<{ checks: Check[]; nodes: readonly NodeState[] }> {
  const isEmbedded = config.databaseUrl === undefined;
  if (isEmbedded && !existsSync(path.join(config.dataDir, 'postgres'))) {
    return { checks: [passed('database', texts.fresh(config.dataDir))], nodes: [] };
  }
  const upgrade = isEmbedded ? await findPendingUpgrade(config.dataDir) : undefined;
  if (upgrade !== undefined) {
    return { checks: [warned('database', texts.oldFiles(upgrade))], nodes: [] };
  }
  let embedded: EmbeddedDatabase | undefined;
  try {
    if (isEmbedded) {
      embedded = await openEmbedded({ dataDir: config.dataDir, as: 'visitor', log: () => {} });
    }
    const connection = embedded?.connection ?? toConnection(config.databaseUrl as string);
    const state = await inSnapshot(connection, readDatabaseState);
    const where = embedded === undefined ? texts.external : texts.embedded(embedded.joined);
    return { checks: checkState(state, where, config, texts), nodes: state.nodes };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    return { checks: [failed('database', texts.unreachable(message || (code ?? '')))], nodes: [] };
  } finally {
    await embedded?.stop();
  }
}

function checkState(
  state: DatabaseState,
  where: string,
  config: Config,
  texts: DoctorTexts,
): Check[] {
  const version = `PostgreSQL ${state.version}, ${where}`;
  const settings = state.settings.map(({ name, setting }) => `${name}=${setting}`).join(' ');
  const isDurable = state.settings.every(({ setting }) => !['off', 'local'].includes(setting));
  const clock = texts.clock(state.clockAheadMs);
  return [
    checkDatabaseVersion(state, version, texts),
    isDurable ? passed('durability', settings) : failed('durability', texts.notDurable(settings)),
    checkMigrations(state, texts),
    Math.abs(state.clockAheadMs) <= CLOCK_DIFFERENCE_MAX_MS
      ? passed('clock', clock)
      : failed('clock', clock),
    ...(config.databaseUrl === undefined
      ? []
      : checkServer(state.server, config, state.nodes.length, texts)),
    checkSnapshots(state, texts),
    checkBackup(state, config, texts),
    checkSecret(state, config, texts),
    checkMode(state, config, texts),
    ...checkNodes(state, texts),
  ];
}

function checkDatabaseVersion(state: DatabaseState, version: string, texts: DoctorTexts): Check {
  if (state.versionNumber < VERSION_MIN) return failed('database', texts.oldDatabase(version));
  if (state.server.isStandby) return failed('database', texts.isStandby(version));
  return passed('database', version);
}

function checkMigrations({ migrations }: DatabaseState, texts: DoctorTexts): Check {
  const { tables, functions } = readSchema();
  const checksums = new Map([...tables, ...functions].map((file) => [file.name, file.checksum]));
  const isKnown = ({ name, checksum }: { name: string; checksum: string }) =>
    checksums.get(name) === checksum;
  const foreign = migrations.find((file) => file.kind === 'table' && !isKnown(file));
  if (foreign !== undefined) return failed('migrations', texts.foreignMigration(foreign.name));
  const applied = migrations.filter(isKnown).length;
  return passed('migrations', texts.migrations(applied, checksums.size - applied));
}

/** A nightly backup that was missed is a warning: the service itself is well. */
function checkBackup({ backup }: DatabaseState, config: Config, texts: DoctorTexts): Check {
  const { backupDir, mode, databaseUrl } = config;
  const { last, failed: reason } = backup;
  const hours = last === undefined ? undefined : (Date.now() - last.at.getTime()) / 3_600_000;
  if (reason !== undefined) return warned('backup', texts.backupFailed(reason, hours));
  if (last === undefined || hours === undefined) {
    // A sandbox has nothing to lose, and a server of its own is backed up by its own tools.
    const isNeeded = mode === 'live' && databaseUrl === undefined && backupDir === undefined;
    return (isNeeded ? warned : passed)('backup', texts.noBackup);
  }
  const isLate = backupDir !== undefined && hours > BACKUP_HOURS_MAX;
  return (isLate ? warned : passed)('backup', texts.lastBackup(hours, last.file));
}

/** A snapshot that is held for long makes every send of a busy company slower. */
function checkSnapshots({ oldestSnapshot }: DatabaseState, texts: DoctorTexts): Check {
  if (oldestSnapshot === undefined || oldestSnapshot.minutes < SNAPSHOT_MINUTES_MAX) {
    return passed('snapshots', texts.snapshotsYoung);
  }
  return warned('snapshots', texts.snapshotOld(oldestSnapshot.holder, oldestSnapshot.minutes));
}

function checkSecret(state: DatabaseState, config: Config, texts: DoctorTexts): Check {
  const secret = findSecret(config);
  if (state.fingerprint === undefined) return passed('secret', texts.secretUnused);
  if (secret === undefined) return failed('secret', texts.secretLost);
  return deriveSecrets(secret).fingerprint === state.fingerprint
    ? passed('secret', texts.secretFits)
    : failed('secret', texts.secretWrong);
}

function checkMode({ mode }: DatabaseState, config: Config, texts: DoctorTexts): Check {
  if (mode === undefined || mode === config.mode) return passed('mode', texts.modes[config.mode]);
  return failed('mode', describeOtherMode(config, mode));
}

/** The running servers, and whether they are all of this version. */
function checkNodes({ nodes }: DatabaseState, texts: DoctorTexts): Check[] {
  if (nodes.length === 0) return [passed('nodes', texts.noNodes)];
  return nodes.map(({ node, version, role }) => {
    const line = texts.runningNode(node, version, role ?? '?');
    return version === VERSION ? passed('nodes', line) : warned('nodes', line);
  });
}
