import { Gauge, type Registry } from 'prom-client';
import type { Sql } from '../db/sql.ts';
import { type BackupState, readBackupState } from './remember-backup.ts';

/** What every node says of the one database. While that is away these are missing. */
export function createBackupMetrics(registry: Registry, db: Sql): void {
  const gauge = (
    name: string,
    help: string,
    readValue: (state: BackupState) => number | undefined,
  ) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const state = await readBackupState(db).catch(() => undefined);
        const value = state === undefined ? undefined : readValue(state);
        if (value === undefined) this.remove();
        else this.set(value);
      },
    });
  gauge(
    'zhiber_backup_last_success_timestamp_seconds',
    'When the last whole backup was begun; missing before the first.',
    ({ last }) => (last === undefined ? undefined : last.at.getTime() / 1_000),
  );
  gauge(
    'zhiber_backup_last_size_bytes',
    'How large the file of the last whole backup is.',
    ({ last }) => last?.bytes,
  );
  gauge('zhiber_backup_failed', '1 when the last nightly backup failed.', ({ failed }) =>
    Number(failed !== undefined),
  );
}
