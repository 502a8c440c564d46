import path from 'node:path';
import { backupFolder, backupName } from '../../backups/backup-file.ts';
import { checkBackup } from '../../backups/check-backup.ts';
import { rememberBackup } from '../../backups/remember-backup.ts';
import type { Restored } from '../../backups/restore-backup.ts';
import { sum, writeBackup } from '../../backups/write-backup.ts';
import { findFact } from '../../installation/fact-store.ts';
import { FINGERPRINT_FACT, findSecret } from '../../installation/open-secrets.ts';
import { type Call, type Command, Refusal } from '../grammar/command.ts';
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
  const included = given.isOn('without-secret') ? undefined : await secretOf(tools);
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
      checked = await checkBackup(config, options).finally(() => release());
    },
  }).finally(bar.end);
  const { bytes, rows } = written;
  await rememberBackup(tools.db, { at, file, bytes });
  const broken = checked?.audit.broken ?? [];
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
  if (audit.broken.length > 0) return texts.auditOfCopyBroken(audit.broken.join(', '));
  return texts.backupChecked(sum(rows ?? {}), audit.invariants);
}

/** Throws when the data was written with a secret that is not here: nobody would notice its absence. */
async function secretOf({ config, db }: Tools): Promise<string | undefined> {
  const secret = findSecret(config);
  if (secret !== undefined || (await findFact(db, FINGERPRINT_FACT)) === undefined) return secret;
  throw new Refusal((texts) => texts.secretNotHere(config.dataDir));
}
