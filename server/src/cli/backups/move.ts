import { moveDatabase } from '../../backups/move-database.ts';
import { sum } from '../../backups/write-backup.ts';
import { systemClock } from '../../clock.ts';
import { readConfig } from '../../config/config.ts';
import { databaseAddress, Wrong } from '../../config/values.ts';
import { type Command, UsageError } from '../grammar/command.ts';
import { requiredOption } from '../grammar/values.ts';
import { closeOnSignal, quietLog } from '../with-storage.ts';
import { createProgressBar } from './progress.ts';

const EMBEDDED = 'embedded';

export const move: Command = {
  name: 'move',
  usage: `--to DATABASE_URL|${EMBEDDED}`,
  summary: {
    en: 'Moves the database to a PostgreSQL server, or back into the data folder; servers are stopped first',
    ru: 'Переносит базу на сервер PostgreSQL или обратно в папку данных; серверы нужно остановить',
  },
  options: { to: 'text' },
  async run({ given, env, texts, isJson }) {
    const config = readConfig(env);
    const databaseUrl = readTarget(requiredOption(given, 'to'));
    const bar = createProgressBar({ isJson });
    const releases: (() => void)[] = [];
    bar.step(texts.copying);
    const moved = await moveDatabase(
      config,
      { databaseUrl, dataDir: config.dataDir },
      {
        log: quietLog(config),
        clock: systemClock,
        onProgress: bar.update,
        onRowsLoaded: () => bar.step(texts.indexing),
        onOpen: (close) => releases.push(closeOnSignal(close)),
      },
    ).finally(() => {
      for (const release of releases) release();
      bar.end();
    });
    const { to, rows, setAside } = moved;
    return {
      facts: { to, rows: rows === undefined ? null : sum(rows), set_aside: setAside ?? null },
      lines: [
        rows === undefined ? texts.moveFinished(to) : texts.moved(to, sum(rows)),
        ...(setAside === undefined ? [] : [texts.setAside(setAside)]),
        databaseUrl === undefined ? texts.nowUnsetUrl : texts.nowSetUrl,
      ],
    };
  },
};

function readTarget(text: string): string | undefined {
  if (text === EMBEDDED) return undefined;
  const address = databaseAddress(text);
  if (address instanceof Wrong) {
    throw new UsageError((texts) => texts.badChoice('--to', '…', ['postgres://…', EMBEDDED]));
  }
  return address;
}
