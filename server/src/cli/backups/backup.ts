import path from 'node:path';
import { backupFolder, backupName } from '../../backups/backup-file.ts';
import { checkBackup } from '../../backups/check-backup.ts';
import { rememberBackup } from '../../backups/remember-backup.ts';
import type { Restored } from '../../backups/restore-backup.ts';
import { sum, writeBackup } from '../../backups/write-backup.ts';
import type { Audit } from '../../billing/invariant-store.ts';
import { findSecret } from '../../installation/open-secrets.ts';
import type { Call, Command } from '../grammar/command.ts';
import { closeOnSignal, quietLog, readStorage, type Tools } from '../with-storage.ts';
import { createProgressBar } from './progress.ts';

const MEGABYTE = 1_000_000;

export const backup: Command = {
  name: 'backup',
  usage: '[FILE] [--without-secret] [--unchecked]',
  summary: {
    en: 'Writes a backup while the service runs, and restores it into a scratch database as a check',
    ru: 'Делает копию на ходу и проверяет её восстановлением во временную базу',
  },
  options: { 'without-secret': 'switch', unchecked: 'switch' },
  optionalOperand: 'FILE',
  run: (call) => readStorage(call.env, (tools) => backUp(tools, call)),
};

async function backUp(tools: Tools, call: Call) {
  const { config, clock, storage } = tools;
  const { given, texts } = call;
  const bar = createProgressBar(call);
  const secret = findSecret(config);
  const included = given.isOn('without-secret') ? undefined : secret;
  const at = clock.now();
  const file = path.resolve(given.operands[0] ?? path.join(backupFolder(config), backupName(at)));
  let checked: Restored | undefined;
  bar.step(texts.copying);
  const written = await writeBackup(storage.connection, {
    file,
    secret: included,
    onProgress: bar.update,
    async check(unfinished) {
      if (given.isOn('unchecked')) return;
      bar.step(texts.checking);
      let release = () => {};
      const onOpen = (close: () => Promise<unknown>) => {
        release = closeOnSignal(close);
      };
      const options = { file: unfinished, log: quietLog(config), onProgress: bar.update, onOpen };
      checked = await checkBackup(config, secret, options).finally(() => release());
    },
  }).finally(bar.end);
  const { bytes, rows } = written;
  await rememberBackup(tools.db, { at, file, bytes });
  const broken = brokenOf(checked?.audit);
  const isGood = broken.length === 0;
  const megabytes = (bytes / MEGABYTE).toFixed(1);
  return {
    facts: {
      ok: isGood,
      ...{ file, bytes, rows, has_secret: included !== undefined, at: at.toISOString() },
      is_checked: checked !== undefined,
      violations: broken,
    },
    lines: [
      texts.backedUp(file, megabytes, rows),
      included === undefined ? texts.withoutSecret : texts.withSecret,
      checked === undefined ? texts.backupUnchecked : checkedLine(checked, call),
    ],
    exitCode: isGood ? 0 : 1,
  };
}

function checkedLine({ rows, audit }: Restored, { texts }: Call): string {
  const broken = brokenOf(audit);
  if (broken.length > 0) return texts.auditOfCopyBroken(broken.join(', '));
  return texts.backupChecked(sum(rows ?? {}), Object.keys(audit.violations).length);
}

/** The invariants that do not hold. */
export function brokenOf(audit: Audit | undefined): string[] {
  const found = Object.entries(audit?.violations ?? {});
  return found.filter(([, count]) => count > 0).map(([name]) => name);
}
