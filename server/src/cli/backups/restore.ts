import path from 'node:path';
import { almatyTime } from '../../almaty.ts';
import { restoreBackup } from '../../backups/restore-backup.ts';
import { sum } from '../../backups/write-backup.ts';
import { readConfig } from '../../config/config.ts';
import { asUnreachable } from '../../db/open-storage.ts';
import type { Command } from '../grammar/command.ts';
import { closeOnSignal, quietLog } from '../with-storage.ts';
import { createProgressBar } from './progress.ts';

export const restore: Command = {
  name: 'restore',
  usage: 'FILE',
  summary: {
    en: 'Restores a backup into an empty database; what was under way then does not happen again',
    ru: 'Восстанавливает копию в пустую базу; что шло тогда, второй раз не произойдёт',
  },
  operands: ['FILE'],
  async run({ given, env, texts, isJson }) {
    const config = readConfig(env);
    const bar = createProgressBar({ isJson });
    let release = () => {};
    bar.step(texts.loading);
    const restored = await restoreBackup(config, {
      file: path.resolve(given.operands[0] as string),
      log: quietLog(config),
      onProgress: bar.update,
      onRowsLoaded: () => bar.step(texts.indexing),
      onOpen: (close) => {
        release = closeOnSignal(close);
      },
    })
      .catch((error: unknown) => {
        throw config.databaseUrl === undefined ? error : asUnreachable(error, 'DATABASE_URL');
      })
      .finally(() => {
        release();
        bar.end();
      });
    const { manifest, rows, quieted, audit, hasBroughtSecret } = restored;
    const { broken } = audit;
    const at = almatyTime(new Date(manifest.at));
    return {
      facts: {
        ok: broken.length === 0,
        at: manifest.at,
        rows: rows === undefined ? null : sum(rows),
        stopped: quieted,
        has_brought_secret: hasBroughtSecret,
        violations: broken,
      },
      lines: [
        rows === undefined ? texts.restoredBefore(at) : texts.restored(at, sum(rows)),
        ...(hasBroughtSecret ? [texts.secretBrought(config.dataDir)] : []),
        texts.quieted(quieted),
        broken.length === 0
          ? texts.auditHolds(audit.invariants)
          : texts.auditOfCopyBroken(broken.join(', ')),
        texts.startNow,
      ],
      exitCode: broken.length === 0 ? 0 : 1,
    };
  },
};
