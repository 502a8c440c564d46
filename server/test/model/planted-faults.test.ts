import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { useService } from '../harness.ts';
import { explore, type Violation } from './explore.ts';
import { disableTimeouts } from './job.ts';
import { PLANTED_FAULTS, plant } from './planted-faults.ts';
import { CRASHES_ONLY, openScenario } from './scenario.ts';

disableTimeouts();
const service = useService();
const WORLDS_MAX = 300_000;

const found: string[] = [];
after(() => {
  console.log(found.join('\n'));
});

for (const { name, needs, finds, patch, variant } of PLANTED_FAULTS) {
  test(`a planted fault is found: ${name}`, async () => {
    const removeFault = patch && (await plant(service.ctx.db, patch));
    const scenario = { ...CRASHES_ONLY, ...needs, name };
    const { successors, prices, close } = await openScenario(service, scenario, variant);
    try {
      const options = { prices, worldsMax: WORLDS_MAX, stopAt: finds };
      const { violations, worlds } = await explore(successors, options);
      const violation = violations.find(({ problem }) => problem === finds);
      assert(violation, `not found; found instead: ${violations.map(({ problem }) => problem)}`);
      found.push(describe(name, violation, worlds));
    } finally {
      await close();
      await removeFault?.();
    }
  });
}

function describe(name: string, { problem, path }: Violation, worlds: number): string {
  const steps = path.map((label, i) => `    ${i + 1}. ${label}`);
  return [`${name} (${worlds} worlds)`, `  ${problem}:`, ...steps].join('\n');
}
