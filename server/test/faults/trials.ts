/** The faults of a provider's answers and receipts, P2 to P7, each as a trial. */
import assert from 'node:assert/strict';
import type { MalformedForm, Plan } from '../../../simulators/frame/plan.ts';
import { assertTrue, type Line } from './lines.ts';
import { RECEIPT_TRIALS } from './receipt-trials.ts';
import type { Column, Trial } from './trial.ts';

type Expected = { answers: readonly number[]; taken: 0 | 1 };
const UNKNOWN_TAKEN: Expected = { answers: [504], taken: 1 };
const UNKNOWN_NOT_TAKEN: Expected = { answers: [504], taken: 0 };
const FAILED: Expected = { answers: [502], taken: 0 };
const SENT: Expected = { answers: [200], taken: 1 };

/** One send under a plan. */
function sends(column: Column, name: string, plan: Plan, expected: Expected): Trial {
  return {
    column,
    name,
    async run(line) {
      const sent = await line.send(plan);
      const said = `${sent.status} ${JSON.stringify(sent.body)}`;
      assert.ok(expected.answers.includes(sent.status), said);
      const taken = line.taken(sent.phone).length;
      assert.equal(taken, expected.taken, `taken ${taken} times`);
      await assertTrue(line.service, sent, { price: line.price, taken });
    },
  };
}

const slow = (trial: Trial): Trial => ({ ...trial, isSlow: true });
const malformed = (column: Column, form: MalformedForm) =>
  sends(column, form, { does: 'malformed', form }, UNKNOWN_TAKEN);
const fails = (code: number, expected: Expected) =>
  sends('P3', `an answer with ${code}`, { does: 'fail', code, retryAfter: 1 }, expected);

const SILENCE = slow(sends('P2', 'silence', { does: 'hang' }, UNKNOWN_TAKEN));
const DRIP = slow(sends('P4', 'drip', { does: 'drip' }, UNKNOWN_TAKEN));
const RESETS = [
  sends('P5', 'reset before', { does: 'reset_before' }, UNKNOWN_NOT_TAKEN),
  sends('P5', 'reset during', { does: 'reset_during' }, UNKNOWN_TAKEN),
];
const RESET_AFTER: Plan = { does: 'reset_after' };

/** A provider that names messages by its own ids must not name two alike. */
const SAME_ID: Trial = {
  column: 'P6',
  name: 'the same id for two',
  async run(line) {
    // The receipts of the one before would be told of this one.
    await line.provider.settle();
    const expected = line.namesById === true ? UNKNOWN_TAKEN : SENT;
    const plan: Plan = { does: 'accept', sameId: true, receipts: [] };
    await sends('P6', '', plan, expected).run(line);
  },
};

const HTTP_TRIALS: readonly Trial[] = [
  SILENCE,
  ...[500, 502, 503].map((code) => fails(code, UNKNOWN_NOT_TAKEN)),
  sends('P3', '500 and taken', { does: 'fail', code: 500, isTaken: true }, UNKNOWN_TAKEN),
  fails(429, FAILED),
  DRIP,
  malformed('P4', 'endless'),
  malformed('P4', 'packed'),
  ...RESETS,
  // The reset may overtake the answer; both are true.
  sends('P5', 'reset after', RESET_AFTER, { answers: [200, 504], taken: 1 }),
  malformed('P6', 'html'),
  malformed('P6', 'half_json'),
  malformed('P6', 'no_content'),
  malformed('P6', 'empty'),
  malformed('P6', 'no_id'),
  malformed('P6', 'wrong_type'),
  SAME_ID,
];

const SYSTEM_ERROR = 0x08;
const QUEUE_FULL = 0x14;
const THROTTLED = 0x58;

/**
 * Of a link of frames. Each loss makes it wait longer before it is opened again, until it has held
 * for ten seconds: those that lose it come first and last, with the slow ones between.
 */
const FRAME_TRIALS: readonly Trial[] = [
  ...RESETS,
  sends('P5', 'an end after', RESET_AFTER, SENT),
  malformed('P6', 'garbage'),
  SILENCE,
  malformed('P6', 'wrong_sequence'),
  fails(SYSTEM_ERROR, UNKNOWN_NOT_TAKEN),
  fails(QUEUE_FULL, FAILED),
  fails(THROTTLED, FAILED),
  malformed('P6', 'empty'),
  malformed('P6', 'no_id'),
  SAME_ID,
  ...RECEIPT_TRIALS,
  malformed('P6', 'wrong_command'),
  malformed('P6', 'half_json'),
  malformed('P4', 'huge_length'),
  DRIP,
];

/** What a line has to go through, in its order; what has no meaning for it is not there. */
export function trialsOf(line: Line): Trial[] {
  if (line.isFramed === true) {
    return FRAME_TRIALS.filter(({ name }) => name !== 'forged');
  }
  return [...HTTP_TRIALS, ...(line.best === undefined ? [] : RECEIPT_TRIALS)];
}
