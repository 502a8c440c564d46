import { listArchived } from '../../installation/archive/archive-store.ts';
import type { Command } from '../grammar/command.ts';
import { readStorage } from '../with-storage.ts';

export const archiveList: Command = {
  name: 'archive list',
  usage: '',
  summary: {
    en: 'Lists the months in the archive, with their rows and files',
    ru: 'Показывает месяцы в архиве: строки и файлы',
  },
  async run({ env, texts }) {
    const { months, place } = await readStorage(env, async ({ db, config }) => ({
      months: await listArchived(db),
      place: config.archive,
    }));
    const where =
      place === undefined
        ? undefined
        : place.kind === 'folder'
          ? place.folder
          : `s3://${[place.bucket, ...place.prefix].join('/')}`;
    return {
      facts: { ok: true, place: where ?? null, months },
      lines: [
        where === undefined ? texts.noArchive : texts.archiveAt(where),
        ...months.map((month) => texts.archivedMonth(month)),
      ],
    };
  },
};
