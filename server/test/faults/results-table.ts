import { isApplicable } from './fault-cases.ts';
import {
  FAULT_CLASSES,
  type FaultCase,
  type FaultClass,
  type TestedName,
  type TestedProvider,
} from './tested-provider.ts';

type Result = { provider: TestedName; faultClass: FaultClass; name: string; problem?: string };

/** Collects the results of all cases and prints them as a table of providers and fault classes. */
export function createResults() {
  const results: Result[] = [];
  const cell = (tested: TestedProvider, faultClass: FaultClass): string => {
    const { name: provider } = tested;
    const ofCell = results.filter(
      (result) => result.provider === provider && result.faultClass === faultClass,
    );
    const failed = ofCell.filter(({ problem }) => problem !== undefined);
    if (!isApplicable(tested, faultClass)) return '—';
    if (ofCell.length === 0) return 'not run';
    return failed.length === 0 ? 'ok' : failed.map(({ name }) => name).join('; ');
  };

  return {
    async run(tested: TestedProvider, { faultClass, name, run }: FaultCase): Promise<void> {
      const { name: provider } = tested;
      try {
        await run(tested);
        results.push({ provider, faultClass, name });
      } catch (error) {
        results.push({ provider, faultClass, name, problem: (error as Error).message });
      }
    },
    failures: () => results.filter(({ problem }) => problem !== undefined),
    table(testedProviders: readonly TestedProvider[]): string {
      const rows = testedProviders.map((tested) => [
        tested.name,
        ...FAULT_CLASSES.map((faultClass) => cell(tested, faultClass)),
      ]);
      const passed = results.filter(({ problem }) => problem === undefined).length;
      const texts = [['', ...FAULT_CLASSES], ...rows].map(([name = '', ...cells]) =>
        [name.padEnd(18), ...cells.map((text) => text.padEnd(4))].join(' '),
      );
      return `${texts.join('\n')}\n${passed} of ${results.length} cases passed`;
    },
  };
}
