/**
 * The checker: compares the four logs of a run after everything has come to rest. Each invariant
 * has an id; what it finds are sentences, and at rest there must be none.
 */
import { codesAreKept, comparedTooOften, rightTwice, successesDiffer } from './codes.ts';
import {
  askedAfterDelivery,
  askedDisabled,
  askedTwice,
  countPairsAfterUnknown,
  phonesDisagree,
  stillUnderWay,
  twoCodesInAMinute,
  twoSuccessesInAMinute,
} from './deliveries.ts';
import type { Logs } from './logs.ts';
import {
  acceptedIsChargedOrFree,
  auditIsClean,
  balanceIsSumOfEntries,
  chargeIsThePrice,
  chargesHaveAnAcceptance,
  chargesMatchMessages,
  countFreeMessages,
  nothingIsHeld,
  nothingIsNegative,
  recoveryIsFree,
  refusalIsFree,
  successIsChargedOnce,
} from './money.ts';
import {
  acknowledgedIsLost,
  companiesAreMixed,
  linksAreLost,
  repeatsAreDoubled,
} from './promises.ts';

type Invariant = { breach: string; find(logs: Logs): string[] };

const INVARIANTS = {
  M2: { breach: 'a balance is not the sum of its entries', find: balanceIsSumOfEntries },
  M3: { breach: 'a balance was negative, now or after any entry', find: nothingIsNegative },
  M5: { breach: 'charges posted and messages charged differ', find: chargesMatchMessages },
  M6: { breach: 'a charge that no channel accepted', find: chargesHaveAnAcceptance },
  M7: { breach: 'tokens held at rest', find: nothingIsHeld },
  M8: { breach: 'a success without exactly its charge', find: successIsChargedOnce },
  M9: { breach: 'a refusal that is charged', find: refusalIsFree },
  M10: { breach: 'accepted, and neither charged nor known free', find: acceptedIsChargedOrFree },
  M11: { breach: 'a charge other than the price', find: chargeIsThePrice },
  M12: { breach: 'charged by recovery, and nobody can be told of it', find: recoveryIsFree },
  MA: { breach: 'the audit of the database complains', find: auditIsClean },
  D1: { breach: 'a channel asked twice for one message', find: askedTwice },
  D2: { breach: 'two codes to a phone within a minute', find: twoCodesInAMinute },
  D3: { breach: 'something still under way at rest', find: stillUnderWay },
  D5: { breach: 'a channel that the key does not have', find: askedDisabled },
  D6: { breach: 'sent again after it was known to have arrived', find: askedAfterDelivery },
  D7: { breach: 'accepted by a channel, not on the phone', find: phonesDisagree },
  O1: { breach: 'a code right twice, or not the newest', find: rightTwice },
  O2: { breach: 'more comparisons than allowed', find: comparedTooOften },
  O4: { breach: 'verified here and not there', find: successesDiffer },
  O5: { breach: 'a code kept longer than needed', find: codesAreKept },
  R1: { breach: 'two successes for a phone within a minute', find: twoSuccessesInAMinute },
  I1: { breach: 'one Idempotency-Key, two messages', find: repeatsAreDoubled },
  L1: { breach: 'a short link lost or led astray', find: linksAreLost },
  T1: { breach: 'rows of one company under another', find: companiesAreMixed },
  H1: { breach: 'an acknowledged send is lost', find: acknowledgedIsLost },
} as const satisfies Record<string, Invariant>;

export type InvariantId = keyof typeof INVARIANTS;
export type Checked = {
  violations: Partial<Record<InvariantId, string[]>>;
  /** Counted, and no mistakes: what the promise "in doubt, never charged" costs. */
  freeMessages: number;
  pairsAfterUnknown: number;
};

export function check(logs: Logs): Checked {
  const violations: Checked['violations'] = {};
  for (const [id, { find }] of Object.entries(INVARIANTS)) {
    const found = find(logs);
    if (found.length > 0) violations[id as InvariantId] = found;
  }
  return {
    violations,
    freeMessages: countFreeMessages(logs),
    pairsAfterUnknown: countPairsAfterUnknown(logs),
  };
}

const EXAMPLES_MAX = 3;

/** One line per broken invariant, with the first of what was found. */
export function describeViolations({ violations }: Checked): string {
  return Object.entries(violations)
    .map(([id, found]) => {
      const examples = found.slice(0, EXAMPLES_MAX).join('; ');
      return `${id.padEnd(4)}${INVARIANTS[id as InvariantId].breach}: ${found.length} (${examples})`;
    })
    .join('\n');
}

/** The compact table of a clean run: every invariant and what was compared. */
export function describeLogs(logs: Logs, checked: Checked): string {
  const { clients, channels, phones, database } = logs;
  const ids = Object.keys(INVARIANTS).map(
    (id) => `${id} ${checked.violations[id as InvariantId]?.length ?? 0}`,
  );
  return [
    `  compared: ${clients.length} answers, ${channels.length} calls and receipts, ` +
      `${phones.length} messages on phones, ${database.messages.length} messages, ` +
      `${database.entries.length} entries`,
    `  violations: ${ids.join(', ')}`,
    `  no mistakes: ${checked.freeMessages} free messages, ` +
      `${checked.pairsAfterUnknown} pairs in a minute after an unknown outcome`,
  ].join('\n');
}
