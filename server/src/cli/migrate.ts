import type { Command } from './grammar/command.ts';
import { withStorage } from './with-storage.ts';

export const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary: { en: 'Migrates the database to this version', ru: 'Приводит базу к этой версии' },
  async run({ env, texts }) {
    const { applied, migrations } = await withStorage(
      env,
      async ({ storage }) => storage.facts,
      'always',
    );
    return {
      facts: { applied, total: migrations },
      lines: [texts.migrated(applied, migrations)],
    };
  },
};
