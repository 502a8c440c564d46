/** The faults of a provider's answers and receipts, P2 to P7, each as a trial. */
import assert from 'node:assert/strict';
import type { MalformedForm, Plan } from '../../../simulators/frame/plan.ts';
import { BREAKER } from './breaker-trial.ts';
import { assertTrue, type Line } from './lines.ts';
import { FORGED_RECEIPT, LATE_RECEIPT, RECEIPT_TRIALS, UNKNOWN_RECEIPT } from './receipt-trials.ts';
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

const malformed = (column: Column, form: MalformedForm) =>
  sends(column, form, { does: 'malformed', form, receipts: [] }, UNKNOWN_TAKEN);
const fails = (code: number, expected: Expected) =>
  sends('P3', `an answer with ${code}`, { does: 'fail', code, retryAfter: 1 }, expected);

/** Its receipts come all the same, and charge nothing. */
const SILENCE = sends('P2', 'silence', { does: 'hang' }, UNKNOWN_TAKEN);
const DRIP = sends('P4', 'drip', { does: 'drip', receipts: [] }, UNKNOWN_TAKEN);
const RESETS = [
  sends('P5', 'reset before', { does: 'reset_before' }, UNKNOWN_NOT_TAKEN),
  sends('P5', 'reset during', { does: 'reset_during', receipts: [] }, UNKNOWN_TAKEN),
];
const RESET_AFTER: Plan = { does: 'reset_after', receipts: [] };

/** An id that another message has is the answer to that one. */
const SAME_ID: Trial = {
  column: 'P6',
  name: 'the same id for two',
  async run(line) {
    // The receipts of the one before would be told of this one.
    await line.untilConfirmed();
    const expected = line.numbersPerChat === true ? SENT : UNKNOWN_TAKEN;
    const plan: Plan = { does: 'accept', sameId: true, receipts: [] };
    await sends('P6', '', plan, expected).run(line);
  },
};

/** What it means is for the protocol to say; where it says nothing, the message may be on its way. */
const ERROR_WITH_200: Trial = {
  column: 'P6',
  name: 'an error with 200',
  run: (line) =>
    line.errorsWith200 === true
      ? sends('P6', '', { does: 'refuse' }, FAILED).run(line)
      : malformed('P6', 'error_body').run(line),
};

const HTTP_TRIALS: readonly Trial[] = [
  ...[500, 502, 503].map((code) => fails(code, UNKNOWN_NOT_TAKEN)),
  sends(
    'P3',
    '500 and taken',
    { does: 'fail', code: 500, isTaken: true, receipts: [] },
    UNKNOWN_TAKEN,
  ),
  fails(429, FAILED),
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
  ERROR_WITH_200,
  SAME_ID,
];

const SYSTEM_ERROR = 0x08;
const QUEUE_FULL = 0x14;
const THROTTLED = 0x58;

/**
 * Of a link of frames, which has statuses of its own, and over which nobody else can report. Each
 * loss makes it wait longer before it is opened again, until it has held for ten seconds: those that
 * lose it come first and last.
 */
const FRAME_TRIALS: readonly Trial[][] = [
  ...inTurn(...RESETS, sends('P5', 'an end after', RESET_AFTER, SENT)),
  [SILENCE, malformed('P6', 'wrong_sequence'), DRIP],
  ...inTurn(
    fails(SYSTEM_ERROR, UNKNOWN_NOT_TAKEN),
    fails(QUEUE_FULL, FAILED),
    fails(THROTTLED, FAILED),
    malformed('P6', 'empty'),
    malformed('P6', 'no_id'),
    SAME_ID,
    ...RECEIPT_TRIALS,
    UNKNOWN_RECEIPT,
    LATE_RECEIPT,
    malformed('P6', 'garbage'),
    malformed('P6', 'wrong_command'),
    malformed('P6', 'half_json'),
    malformed('P4', 'huge_length'),
  ),
];

export type Course = {
  /** One after the other; those of a group at once. */
  groups: readonly Trial[][];
  /** Those that take seconds, at the same time. */
  beside: readonly Trial[];
  /** When all of these are over, because no message gets through meanwhile. */
  last: Trial;
};

/** What a line has to go through. */
export function courseOf(line: Line): Course {
  if (line.isFramed === true) return { groups: FRAME_TRIALS, beside: [], last: BREAKER };
  const hasReceipts = hasMeaning(line, 'P7');
  const receipts = hasReceipts ? [...RECEIPT_TRIALS, FORGED_RECEIPT] : [];
  const late = hasReceipts ? [LATE_RECEIPT, UNKNOWN_RECEIPT] : [];
  return {
    groups: inTurn(...HTTP_TRIALS, ...receipts),
    beside: [SILENCE, DRIP, ...late],
    last: BREAKER,
  };
}

/** Who sends no receipts sends no wrong ones. */
export function hasMeaning(line: Line, column: Column): boolean {
  return column !== 'P7' || line.best !== undefined;
}

function inTurn(...trials: Trial[]): Trial[][] {
  return trials.map((trial) => [trial]);
}
