import type { Config } from '../../config/config.ts';
import { connectionsOf } from '../../db/open-storage.ts';
import { openSeenTimeline } from '../../installation/timeline.ts';
import { type Check, failed, passed, warned } from './check.ts';
import type { DoctorTexts } from './doctor-texts.ts';
import type { ServerState } from './server-state-store.ts';

/** Until then commits wait for a standby that hangs, and callers are refused. */
const STANDBY_TIMEOUT_MAX_MS = 15_000;
const KEPT_LOG_MAX_MB = 1_000;
/** A busy service makes that many in some minutes. */
const HELD_TRANSACTIONS_MAX = 300_000;
/** Backups and the removal of old data read that long in one transaction, and longer. */
const TRANSACTION_MS_MIN = 600_000;

/** Checks a PostgreSQL server that an operator has set up. */
export function checkServer(
  state: ServerState,
  config: Config,
  nodes: number,
  texts: DoctorTexts,
): Check[] {
  return [
    ...checkTimeline(state, config, texts),
    ...checkReplication(state, texts),
    ...checkLimits(state, texts),
    ...checkConnections(state, config, nodes, texts),
  ];
}

function checkTimeline({ timeline }: ServerState, { dataDir }: Config, texts: DoctorTexts) {
  if (timeline === undefined) return [];
  const reason = openSeenTimeline(dataDir).compare(timeline);
  if (reason !== undefined) return [failed('timeline', reason)];
  return [passed('timeline', texts.timeline(timeline.timeline))];
}

function checkReplication(state: ServerState, texts: DoctorTexts): Check[] {
  const { standbys, settings, unreadSlots } = state;
  const isSynchronous = settings.synchronous_standby_names !== '';
  const answerMs = Number(settings.wal_sender_timeout);
  const isPatient = answerMs === 0 || answerMs > STANDBY_TIMEOUT_MAX_MS;
  const warnings = [
    ...(!isSynchronous && standbys.length > 0 ? [texts.asynchronous] : []),
    ...(isSynchronous && standbys.every(({ isSync }) => isSync === false)
      ? [texts.noSyncStandby]
      : []),
    ...(isSynchronous && isPatient ? [texts.patientWithStandby(answerMs)] : []),
    ...standbys
      .filter(({ heldTransactions }) => heldTransactions > HELD_TRANSACTIONS_MAX)
      .map(({ name, heldTransactions }) => texts.standbyHolds(name, heldTransactions)),
    ...unreadSlots
      .filter(({ keptMb }) => keptMb > KEPT_LOG_MAX_MB)
      .map(({ name, keptMb }) => texts.unreadSlot(name, keptMb)),
  ];
  if (warnings.length > 0) return warnings.map((warning) => warned('replication', warning));
  const names = standbys.map(({ name }) => name).join(', ');
  return [passed('replication', names === '' ? texts.noStandby : texts.standbys(names))];
}

/** What the server gives each session, and the service relies on. */
function checkLimits({ settings }: ServerState, texts: DoctorTexts): Check[] {
  const { default_transaction_isolation: isolation, default_transaction_read_only: isReadOnly } =
    settings;
  const unusable = [
    ...(isolation === 'read committed' ? [] : [`default_transaction_isolation=${isolation}`]),
    ...(isReadOnly === 'on' ? ['default_transaction_read_only=on'] : []),
  ];
  if (unusable.length > 0) return [failed('limits', texts.unusable(unusable.join(' ')))];
  // Zero is no limit.
  const transactionMs = Number(settings.transaction_timeout);
  const idleMs = Number(settings.idle_session_timeout);
  const unwise = [
    ...(transactionMs > 0 && transactionMs < TRANSACTION_MS_MIN
      ? [`transaction_timeout=${transactionMs}ms`]
      : []),
    ...(idleMs > 0 ? [`idle_session_timeout=${idleMs}ms`] : []),
  ];
  if (unwise.length > 0) return [warned('limits', texts.unwise(unwise.join(' ')))];
  return [passed('limits', texts.limitsFit)];
}

/** Through a pooler the limit is that of the pooler. */
function checkConnections(
  { connectionsMax }: ServerState,
  { processes, databaseDirectUrl }: Config,
  nodes: number,
  texts: DoctorTexts,
): Check[] {
  if (databaseDirectUrl !== undefined) return [];
  const each = connectionsOf(processes);
  const own = processes * each;
  // A node that is replaced runs beside its successor for a while.
  const needed = own + Math.max(nodes * each, own);
  if (connectionsMax < own) return [failed('connections', texts.tooFew(connectionsMax, own))];
  if (connectionsMax < needed) return [warned('connections', texts.tooFew(connectionsMax, needed))];
  return [passed('connections', texts.connections(connectionsMax, needed))];
}
