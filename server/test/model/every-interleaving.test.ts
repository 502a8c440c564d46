import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { useService } from '../harness.ts';
import { explore } from './explore.ts';
import { takeTimeOutOfJobs } from './job.ts';
import { openScenario, type Scenario } from './scenario.ts';

takeTimeOutOfJobs();
const service = useService();

const ALL = {
  kind: 'otp',
  balance: 50,
  canBeAsked: true,
  codeIsVerified: true,
  codeExpires: true,
  losesAnswers: true,
  receipts: ['failed', 'delivered'],
  timeStepSeconds: 20,
} as const;
const two = ['whatsapp', 'sms'] as const;
const SCENARIOS: Scenario[] = [
  { ...ALL, name: 'one channel', channels: ['whatsapp'] },
  {
    ...ALL,
    name: 'auto: receipts',
    channels: two,
    codeIsVerified: false,
    codeExpires: false,
    losesAnswers: false,
  },
  { ...ALL, name: 'auto: lost answers', channels: two, receipts: [] },
  { ...ALL, name: 'auto: receipts, verify', channels: two, losesAnswers: false },
];

const figures: unknown[] = [];
after(() => console.table(figures));
for (const scenario of SCENARIOS) {
  test(scenario.name, async () => {
    const { successors, prices, close } = await openScenario(service, scenario);
    try {
      const { violations, ...found } = await explore(successors, { prices, worldsMax: 1_000_000 });
      figures.push({ scenario: scenario.name, ...found });
      assert.deepEqual(violations, []);
    } finally {
      await close();
    }
  });
}
