import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../config/config.ts';
import { DOCTOR_TEXTS } from './doctor-texts.ts';
import { checkServer } from './server-checks.ts';
import type { ServerState } from './server-state-store.ts';

const GOOD: ServerState = {
  isStandby: false,
  timeline: undefined,
  settings: {
    default_transaction_isolation: 'read committed',
    default_transaction_read_only: 'off',
    idle_session_timeout: '0',
    synchronous_standby_names: 'one',
    transaction_timeout: '0',
    wal_sender_timeout: '5000',
  },
  standbys: [{ name: 'one', isSync: true, heldTransactions: 0 }],
  unreadSlots: [],
  connectionsMax: 100,
};
const CONFIG = readConfig({ DATABASE_URL: 'postgres://localhost/zhiber' });

function check(state: Partial<ServerState>, { config = CONFIG, nodes = 0 } = {}): string[] {
  return checkServer({ ...GOOD, ...state }, config, nodes, DOCTOR_TEXTS.en)
    .filter(({ ok, warning }) => !ok || warning)
    .map(({ name, ok, detail }) => `${name} ${ok ? 'warns' : 'fails'}: ${detail}`);
}

test('a server that is set up well gives no warning', () => {
  assert.deepEqual(check({}), []);
  assert.deepEqual(
    check({ standbys: [], settings: { ...GOOD.settings, synchronous_standby_names: '' } }),
    [],
  );
});

test('a standby that no commit waits for loses what was acknowledged last', () => {
  assert.deepEqual(check({ settings: { ...GOOD.settings, synchronous_standby_names: '' } }), [
    'replication warns: commits wait for no standby: a failover loses what was acknowledged last; set synchronous_standby_names',
  ]);
});

test('commits wait for ever without their standby, and long for one that hangs', () => {
  const settings = { ...GOOD.settings, wal_sender_timeout: '0' };
  assert.deepEqual(
    check({ settings, standbys: [{ name: 'two', isSync: false, heldTransactions: 0 }] }),
    [
      'replication warns: commits wait for a standby, and none is connected',
      'replication warns: a standby that hangs holds commits up for ever; set wal_sender_timeout to 5s',
    ],
  );
  assert.equal(check({ settings: { ...settings, wal_sender_timeout: '15000' } }).length, 0);
  assert.equal(check({ settings: { ...settings, wal_sender_timeout: '15001' } }).length, 1);
});

test('a standby that holds old rows and a slot that nobody reads are named', () => {
  assert.deepEqual(
    check({
      standbys: [{ name: 'one', isSync: true, heldTransactions: 300_001 }],
      unreadSlots: [
        { name: 'short', keptMb: 1_000 },
        { name: 'long', keptMb: 1_001 },
      ],
    }),
    [
      'replication warns: one has held old rows for 300001 transactions; sends of busy companies become slower until it lets go',
      'replication warns: nobody reads the replication slot long, and 1001 MB of log are kept for it; drop it if its standby is gone',
    ],
  );
});

test('a server that only reads, or ends transactions, does not do', () => {
  const of = (settings: Partial<ServerState['settings']>) =>
    check({ settings: { ...GOOD.settings, ...settings } });
  assert.deepEqual(of({ default_transaction_read_only: 'on' }), [
    'limits fails: cannot work with default_transaction_read_only=on',
  ]);
  assert.deepEqual(of({ transaction_timeout: '599999' }), [
    'limits warns: transaction_timeout=599999ms ends connections or transactions that are needed',
  ]);
  assert.deepEqual(of({ transaction_timeout: '600000' }), []);
  // Servers before 17 do not have it.
  assert.deepEqual(of({ transaction_timeout: null }), []);
});

test('the connections of all nodes and of the next one have to fit, but not behind a pooler', () => {
  assert.deepEqual(check({}, { nodes: 3 }), []);
  assert.deepEqual(check({}, { nodes: 4 }), [
    'connections warns: only 100 may be open, up to 125 are needed; raise max_connections or the limit of the role, or set DATABASE_DIRECT_URL and use PgBouncer',
  ]);
  const DATABASE_URL = 'postgres://localhost/zhiber';
  // 12 for requests, 4 for bulk messages and 5 others in each of five.
  const five = readConfig({ DATABASE_URL, PROCESSES: '5' });
  assert.match(check({}, { config: five })[0] ?? '', /^connections fails: only 100 .* up to 105 /);
  const pooled = readConfig({ DATABASE_URL, DATABASE_DIRECT_URL: DATABASE_URL });
  assert.deepEqual(check({ connectionsMax: 10 }, { config: pooled, nodes: 9 }), []);
});
