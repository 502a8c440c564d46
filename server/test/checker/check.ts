/**
 * The checker: compares the four logs of a run after the service has become idle. Each invariant
 * has an id and returns a sentence for every violation.
 */

import {
  findBrokenLinks,
  findDuplicatedMessages,
  findLostSends,
  findMixedCompanies,
} from './acknowledgements.ts';
import {
  findExcessComparisons,
  findKeptCodes,
  findReusedCodes,
  findVerificationMismatches,
} from './codes.ts';
import {
  countPairsAfterUnknown,
  findCallsAfterDelivery,
  findCallsOfDisabledChannels,
  findCodesWithinAMinute,
  findPhoneMismatches,
  findRepeatedCalls,
  findSuccessesWithinAMinute,
  findUnfinishedWork,
} from './deliveries.ts';
import type { Logs } from './logs.ts';
import {
  countFreeMessages,
  findAuditViolations,
  findChargedRefusals,
  findChargeMismatches,
  findChargesByRecovery,
  findChargesWithoutAcceptance,
  findNegativeBalances,
  findOpenHolds,
  findUnaccountedAcceptances,
  findWrongBalances,
  findWronglyChargedSuccesses,
  findWrongPrices,
} from './money.ts';

type Invariant = { breach: string; find(logs: Logs): string[] };

const INVARIANTS = {
  M2: { breach: 'a balance is not the sum of its entries', find: findWrongBalances },
  M3: { breach: 'a balance was negative, now or after any entry', find: findNegativeBalances },
  M5: { breach: 'the entries and the messages have different charges', find: findChargeMismatches },
  M6: {
    breach: 'a charge without the acceptance of a channel',
    find: findChargesWithoutAcceptance,
  },
  M7: { breach: 'tokens held while idle', find: findOpenHolds },
  M8: { breach: 'a success that was not charged exactly once', find: findWronglyChargedSuccesses },
  M9: { breach: 'a refused send was charged', find: findChargedRefusals },
  M10: {
    breach: 'a message was accepted, but neither charged nor marked unknown',
    find: findUnaccountedAcceptances,
  },
  M11: { breach: 'a charge differs from the price', find: findWrongPrices },
  M12: {
    breach: 'recovery charged a send whose client cannot learn its result',
    find: findChargesByRecovery,
  },
  MA: { breach: 'the audit of the database reports violations', find: findAuditViolations },
  D1: { breach: 'a channel was called twice for one message', find: findRepeatedCalls },
  D2: { breach: 'two codes to a phone within a minute', find: findCodesWithinAMinute },
  D3: { breach: 'unfinished work while idle', find: findUnfinishedWork },
  D5: {
    breach: 'a channel that is disabled for the key was called',
    find: findCallsOfDisabledChannels,
  },
  D6: {
    breach: 'a message was sent again after its delivery was reported',
    find: findCallsAfterDelivery,
  },
  D7: {
    breach: 'a channel accepted a message that the phone does not show',
    find: findPhoneMismatches,
  },
  O1: { breach: 'a code was verified twice, or was not the newest', find: findReusedCodes },
  O2: { breach: 'more guesses were compared than allowed', find: findExcessComparisons },
  O4: {
    breach: 'client and database disagree on a verification',
    find: findVerificationMismatches,
  },
  O5: { breach: 'a code was kept longer than needed', find: findKeptCodes },
  R1: { breach: 'two successes for a phone within a minute', find: findSuccessesWithinAMinute },
  I1: { breach: 'one Idempotency-Key made two messages', find: findDuplicatedMessages },
  L1: { breach: 'a short link is lost or leads elsewhere', find: findBrokenLinks },
  T1: { breach: 'rows of one company under another', find: findMixedCompanies },
  H1: { breach: 'an acknowledged send is lost', find: findLostSends },
} as const satisfies Record<string, Invariant>;

export type InvariantId = keyof typeof INVARIANTS;
export type Checked = {
  violations: Partial<Record<InvariantId, string[]>>;
  /** Not violations, but the cost of the rule that an unknown outcome is never charged. */
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

/** One line per violated invariant, with a few examples. */
export function describeViolations({ violations }: Checked): string {
  return Object.entries(violations)
    .map(([id, found]) => {
      const examples = found.slice(0, EXAMPLES_MAX).join('; ');
      return `${id.padEnd(4)}${INVARIANTS[id as InvariantId].breach}: ${found.length} (${examples})`;
    })
    .join('\n');
}

/** How much was compared, and the count of violations of every invariant. */
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
    `  not violations: ${checked.freeMessages} free messages, ` +
      `${checked.pairsAfterUnknown} pairs in a minute after an unknown outcome`,
  ].join('\n');
}
