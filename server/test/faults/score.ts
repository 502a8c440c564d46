import type { ProviderName } from '../../src/config/provider-settings.ts';
import type { Line } from './lines.ts';
import { COLUMNS, type Column, type Trial } from './trial.ts';

type Result = { provider: ProviderName; column: Column; name: string; problem?: string };

/** What came of all trials, as a table of providers and faults. */
export function createScore() {
  const results: Result[] = [];
  const cell = (provider: ProviderName, column: Column): string => {
    const own = results.filter((one) => one.provider === provider && one.column === column);
    const failed = own.filter(({ problem }) => problem !== undefined);
    if (own.length === 0) return '—';
    return failed.length === 0 ? 'ok' : failed.map(({ name }) => name).join('; ');
  };

  return {
    async run({ name: provider, ...line }: Line, trial: Trial): Promise<void> {
      const { column, name } = trial;
      try {
        await trial.run({ name: provider, ...line });
        results.push({ provider, column, name });
      } catch (error) {
        results.push({ provider, column, name, problem: (error as Error).message });
      }
    },
    failures: () => results.filter(({ problem }) => problem !== undefined),
    table(providers: readonly ProviderName[]): string {
      const rows = providers.map((provider) => [
        provider,
        ...COLUMNS.map((column) => cell(provider, column)),
      ]);
      const passed = results.filter(({ problem }) => problem === undefined).length;
      const lines = [['', ...COLUMNS], ...rows].map(([name = '', ...cells]) =>
        [name.padEnd(18), ...cells.map((text) => text.padEnd(4))].join(' '),
      );
      return `${lines.join('\n')}\n${passed} of ${results.length} trials passed`;
    },
  };
}
