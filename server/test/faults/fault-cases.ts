/** The faults in a provider's answers and receipts, classes P2 to P7, and their order. */
import assert from 'node:assert/strict';
import type { MalformedForm, Plan } from '../../../simulators/frame/plan.ts';
import { CIRCUIT_BREAKER } from './circuit-breaker-case.ts';
import { FORGED_RECEIPT, LATE_RECEIPT, RECEIPT_CASES, UNKNOWN_RECEIPT } from './receipt-cases.ts';
import {
  assertConsistent,
  type FaultCase,
  type FaultClass,
  type TestedProvider,
} from './tested-provider.ts';

type Expected = { answers: readonly number[]; taken: 0 | 1 };
const UNKNOWN_TAKEN: Expected = { answers: [504], taken: 1 };
const UNKNOWN_NOT_TAKEN: Expected = { answers: [504], taken: 0 };
const FAILED: Expected = { answers: [502], taken: 0 };
const SENT: Expected = { answers: [200], taken: 1 };

/** A case of one send, during which the simulator follows the plan. */
function sendCase(faultClass: FaultClass, name: string, plan: Plan, expected: Expected): FaultCase {
  return {
    faultClass,
    name,
    async run(tested) {
      const sent = await tested.send(plan);
      const details = `${sent.status} ${JSON.stringify(sent.body)}`;
      assert.ok(expected.answers.includes(sent.status), details);
      const taken = tested.taken(sent.phone).length;
      assert.equal(taken, expected.taken, `taken ${taken} times`);
      await assertConsistent(tested.service, sent, { price: tested.price, taken });
    },
  };
}

const malformedCase = (faultClass: FaultClass, form: MalformedForm) =>
  sendCase(faultClass, form, { does: 'malformed', form, receipts: [] }, UNKNOWN_TAKEN);
const failureCase = (code: number, expected: Expected) =>
  sendCase('P3', `an answer with ${code}`, { does: 'fail', code, retryAfter: 1 }, expected);

/** The receipts arrive nevertheless, and must not cause a charge. */
const SILENCE = sendCase('P2', 'silence', { does: 'hang' }, UNKNOWN_TAKEN);
const DRIP = sendCase('P4', 'drip', { does: 'drip', receipts: [] }, UNKNOWN_TAKEN);
const RESETS = [
  sendCase('P5', 'reset before', { does: 'reset_before' }, UNKNOWN_NOT_TAKEN),
  sendCase('P5', 'reset during', { does: 'reset_during', receipts: [] }, UNKNOWN_TAKEN),
];
const RESET_AFTER: Plan = { does: 'reset_after', receipts: [] };

/**
 * An answer with the id of another message does not confirm this message, except where ids are known
 * to repeat: the answers of SMPP are tied to their messages by sequence numbers.
 */
const SAME_ID: FaultCase = {
  faultClass: 'P6',
  name: 'the same id for two messages',
  async run(tested) {
    // Late receipts of the previous message would be recorded for this one.
    await tested.waitForReceipts();
    const mayRepeat = tested.hasIdsPerChat === true || tested.isSmpp === true;
    const expected = mayRepeat ? SENT : UNKNOWN_TAKEN;
    const plan: Plan = { does: 'accept', sameId: true, receipts: [] };
    await sendCase('P6', '', plan, expected).run(tested);
  },
};

/** A definite refusal only where the protocol says so; elsewhere the message may have been sent. */
const ERROR_WITH_200: FaultCase = {
  faultClass: 'P6',
  name: 'an error with 200',
  run: (tested) =>
    tested.hasErrorsWith200 === true
      ? sendCase('P6', '', { does: 'refuse' }, FAILED).run(tested)
      : malformedCase('P6', 'error_body').run(tested),
};

const HTTP_CASES: readonly FaultCase[] = [
  ...[500, 502, 503].map((code) => failureCase(code, UNKNOWN_NOT_TAKEN)),
  sendCase(
    'P3',
    '500 and taken',
    { does: 'fail', code: 500, isTaken: true, receipts: [] },
    UNKNOWN_TAKEN,
  ),
  failureCase(429, FAILED),
  malformedCase('P4', 'endless'),
  malformedCase('P4', 'packed'),
  ...RESETS,
  // The reset may overtake the answer, so both answers are correct.
  sendCase('P5', 'reset after', RESET_AFTER, { answers: [200, 504], taken: 1 }),
  malformedCase('P6', 'html'),
  malformedCase('P6', 'half_json'),
  malformedCase('P6', 'no_content'),
  malformedCase('P6', 'empty'),
  malformedCase('P6', 'no_id'),
  malformedCase('P6', 'wrong_type'),
  ERROR_WITH_200,
  SAME_ID,
];

const SYSTEM_ERROR = 0x08;
const QUEUE_FULL = 0x14;
const THROTTLED = 0x58;

/**
 * The cases of SMPP, which has its own statuses and whose receipts cannot be forged. Each lost
 * connection lengthens the pause before the next connect, until one has lasted ten seconds. So the
 * cases that break the connection come first and last.
 */
const SMPP_CASES: readonly FaultCase[][] = [
  ...oneByOne(...RESETS, sendCase('P5', 'connection closed after the answer', RESET_AFTER, SENT)),
  [SILENCE, malformedCase('P6', 'wrong_sequence'), DRIP],
  ...oneByOne(
    failureCase(SYSTEM_ERROR, UNKNOWN_NOT_TAKEN),
    failureCase(QUEUE_FULL, FAILED),
    failureCase(THROTTLED, FAILED),
    malformedCase('P6', 'empty'),
    malformedCase('P6', 'no_id'),
    SAME_ID,
    ...RECEIPT_CASES,
    UNKNOWN_RECEIPT,
    LATE_RECEIPT,
    malformedCase('P6', 'garbage'),
    malformedCase('P6', 'wrong_command'),
    malformedCase('P6', 'half_json'),
    malformedCase('P4', 'huge_length'),
  ),
];

export type Schedule = {
  /** Groups run one after the other; the cases of a group run at once. */
  groups: readonly FaultCase[][];
  /** Cases that take seconds, run in parallel with the groups. */
  slow: readonly FaultCase[];
  /** Runs after all others, because no message gets through meanwhile. */
  last: FaultCase;
};

/** The cases for one provider. */
export function scheduleFor(tested: TestedProvider): Schedule {
  if (tested.isSmpp === true) return { groups: SMPP_CASES, slow: [], last: CIRCUIT_BREAKER };
  const hasReceipts = isApplicable(tested, 'P7');
  const receipts = hasReceipts ? [...RECEIPT_CASES, FORGED_RECEIPT] : [];
  const late = hasReceipts ? [LATE_RECEIPT, UNKNOWN_RECEIPT] : [];
  return {
    groups: oneByOne(...HTTP_CASES, ...receipts),
    slow: [SILENCE, DRIP, ...late],
    last: CIRCUIT_BREAKER,
  };
}

/** Receipt faults do not apply to a provider that sends no receipts. */
export function isApplicable(tested: TestedProvider, faultClass: FaultClass): boolean {
  return faultClass !== 'P7' || tested.highestReceipt !== undefined;
}

function oneByOne(...cases: FaultCase[]): FaultCase[][] {
  return cases.map((faultCase) => [faultCase]);
}
