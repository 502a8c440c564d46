import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Outcome } from '../../../src/channels/channel.ts';
import { startParrot } from './local-server.ts';
import { codeMessage, soon } from './messages.ts';
import type { Rig } from './open-rig.ts';

export const UNCLEAR: Outcome = { result: 'unknown', reason: 'Провайдер ответил непонятно' };

/** What comes of an answer: a result, or the whole outcome. */
export type Answered = readonly [status: number, body: unknown, Outcome | Outcome['result']];

type Open = (t: TestContext, changes: { settings: { url: string } }) => Promise<Rig>;

/** What a provider makes of answers that its simulator would never give. */
export function testAnswers(
  answers: readonly Answered[] | Readonly<Record<string, Answered>>,
  open: Open,
): void {
  for (const [name, [status, body, expected]] of Object.entries(answers)) {
    const said = Array.isArray(answers) ? `${status} ${JSON.stringify(body)}` : name;
    const result = typeof expected === 'string' ? expected : expected.result;
    test(`an answer with ${said}: ${result}`, async (t) => {
      const { url } = await startParrot(t, status, body);
      const { provider } = await open(t, { settings: { url } });
      const outcome = await provider.send(codeMessage(), soon());
      if (typeof expected === 'string') assert.equal(outcome.result, expected);
      else assert.deepEqual(outcome, expected);
    });
  }
}
