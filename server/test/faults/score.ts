import type { ProviderName } from '../../src/config/provider-settings.ts';
import type { Line } from './lines.ts';
import { COLUMNS, type Column, type Trial } from './trial.ts';
import { hasMeaning } from './trials.ts';

type Result = { provider: ProviderName; column: Column; name: string; problem?: string };

/** What came of all trials, as a table of providers and faults. */
export function createScore() {
  const results: Result[] = [];
  const cell = (line: Line, column: Column): string => {
    const { name: provider } = line;
    const own = results.filter((one) => one.provider === provider && one.column === column);
    const failed = own.filter(({ problem }) => problem !== undefined);
    if (!hasMeaning(line, column)) return '—';
    if (own.length === 0) return 'not tried';
    return failed.length === 0 ? 'ok' : failed.map(({ name }) => name).join('; ');
  };

  return {
    async run(line: Line, { column, name, run }: Trial): Promise<void> {
      const { name: provider } = line;
      try {
        await run(line);
        results.push({ provider, column, name });
      } catch (error) {
        results.push({ provider, column, name, problem: (error as Error).message });
      }
    },
    failures: () => results.filter(({ problem }) => problem !== undefined),
    table(lines: readonly Line[]): string {
      const rows = lines.map((line) => [line.name, ...COLUMNS.map((column) => cell(line, column))]);
      const passed = results.filter(({ problem }) => problem === undefined).length;
      const texts = [['', ...COLUMNS], ...rows].map(([name = '', ...cells]) =>
        [name.padEnd(18), ...cells.map((text) => text.padEnd(4))].join(' '),
      );
      return `${texts.join('\n')}\n${passed} of ${results.length} trials passed`;
    },
  };
}
