/** The invariants of codes, computed from the answers that clients got. */
import { WRONG_PER_CODE_MAX, WRONG_PER_HOUR_MAX } from '@zhiber/contract/api/limits.ts';
import type { Acknowledgement, Logs } from './logs.ts';

const HOUR_MS = 3_600_000;

type Identity = {
  name: string;
  keyId: number;
  phone: string;
  sends: Acknowledgement[];
  guesses: Acknowledgement[];
};

/** Sends and guesses by key and phone. The load uses one purpose per phone. */
function groupByIdentity(logs: Logs): Identity[] {
  const codeActions = logs.clients.filter(
    ({ action, outcome }) =>
      (action === 'send_code' || action === 'verify') && outcome !== 'unreached',
  );
  const byName = Map.groupBy(codeActions, ({ keyId, phone }) => `${keyId} ${phone}`);
  return [...byName].map(([name, acks]) => ({
    name,
    keyId: acks[0]?.keyId ?? 0,
    phone: acks[0]?.phone ?? '',
    sends: acks.filter(({ action }) => action === 'send_code'),
    guesses: acks.filter(({ action }) => action === 'verify').toSorted(byEnd),
  }));
}

const byEnd = (a: Acknowledgement, b: Acknowledgement) => a.endedAt - b.endedAt;
const isRight = ({ outcome }: Acknowledgement) => outcome === 'ok';
const isWrong = ({ errorCode }: Acknowledgement) => errorCode === 'invalid_code';

/** A request repeated with its Idempotency-Key gets the stored answer, so it counts once. */
function withoutRepeats(guesses: Acknowledgement[]): Acknowledgement[] {
  const seen = new Set<string>();
  return guesses.filter(({ idempotencyKey }) => {
    if (idempotencyKey === null) return true;
    if (seen.has(idempotencyKey)) return false;
    seen.add(idempotencyKey);
    return true;
  });
}

/** A code can be verified once, and only if it is the newest that the phone has shown. */
export function findReusedCodes(logs: Logs): string[] {
  const shown = Map.groupBy(logs.phones, ({ phone }) => phone);
  return groupByIdentity(logs).flatMap(({ name, phone, guesses }) => {
    const right = withoutRepeats(guesses.filter(isRight));
    const byCode = Map.groupBy(right, ({ given }) => given);
    const twice = [...byCode.values()].filter((acks) => acks.length > 1);
    const messages = (shown.get(phone) ?? []).filter(({ code }) => code !== null);
    const stale = right.filter((ack) => {
      const newest = messages.filter(({ at }) => at <= ack.endedAt).at(-1);
      return newest?.code !== ack.given;
    });
    return [
      ...twice.map((acks) => `${name}: one code was verified ${acks.length} times`),
      ...stale.map(() => `${name}: a code was verified that is not the newest on the phone`),
    ];
  });
}

/**
 * A guess was compared when the answer says right or wrong: five per code, ten failures an hour.
 */
export function findExcessComparisons(logs: Logs): string[] {
  return groupByIdentity(logs).flatMap(({ name, sends, guesses }) => {
    const compared = withoutRepeats(guesses.filter((ack) => isRight(ack) || isWrong(ack)));
    const byCode = Map.groupBy(compared.filter(isWrong), (ack) => countCodesBefore(sends, ack));
    const perCode = [...byCode.values()].filter((acks) => acks.length > WRONG_PER_CODE_MAX);
    const inAnHour = failuresInAnHour(compared);
    return [
      ...perCode.map((acks) => `${name}: ${acks.length} wrong guesses at one code were compared`),
      ...(inAnHour > WRONG_PER_HOUR_MAX ? [`${name}: ${inAnHour} wrong guesses in an hour`] : []),
    ];
  });
}

/** How many codes had been sent before a guess, which identifies the code that was guessed. */
function countCodesBefore(sends: Acknowledgement[], guess: Acknowledgement): number {
  const earlier = sends.filter(
    ({ endedAt, outcome, errorCode }) =>
      endedAt <= guess.startedAt && (outcome !== 'refused' || errorCode === 'delivery_unconfirmed'),
  );
  return new Set(earlier.map(({ messageId, requestId }) => messageId ?? requestId)).size;
}

/** The most failures in any hour. A success resets the count. */
function failuresInAnHour(compared: Acknowledgement[]): number {
  let failures: number[] = [];
  let most = 0;
  for (const ack of compared) {
    failures = isRight(ack)
      ? []
      : [...failures.filter((at) => at > ack.endedAt - HOUR_MS), ack.endedAt];
    most = Math.max(most, failures.length);
  }
  return most;
}

/** Clients and database must agree on which codes were verified. */
export function findVerificationMismatches(logs: Logs): string[] {
  const rows = new Map(logs.database.codes.map((row) => [`${row.key_id} ${row.phone}`, row]));
  const lost = groupByIdentity(logs).flatMap(({ name, sends, guesses }) => {
    const last = guesses.filter(isRight).at(-1);
    if (last === undefined) return [];
    const isReplaced = sends.some(({ endedAt }) => endedAt > last.startedAt);
    return isReplaced || rows.get(name)?.is_verified
      ? []
      : [`${name}: the database lost a verification`];
  });
  const guessed = new Map(
    groupByIdentity(logs).map((identity) => [identity.name, identity.guesses]),
  );
  const unacknowledged = [...rows]
    .filter(([, row]) => row.is_verified)
    .filter(([name]) => !(guessed.get(name) ?? []).some((ack) => isRight(ack) || isCutOff(ack)))
    .map(([name]) => `${name}: verified, but no client got that answer`);
  return [...lost, ...unacknowledged];
}

/** The service may have committed a request without being able to answer it. */
const isCutOff = ({ outcome, errorCode }: Acknowledgement) =>
  outcome === 'unknown' ||
  ['request_in_progress', 'service_unavailable'].includes(String(errorCode));

/** While idle no sealed copy of a code is left, and no stored text contains a code. */
export function findKeptCodes(logs: Logs): string[] {
  const { codes, messages, answers } = logs.database;
  const known = new Set(logs.phones.flatMap(({ code }) => (code === null ? [] : [code])));
  const texts = [...messages.map(({ body }) => body ?? ''), ...answers.map(({ answer }) => answer)];
  return [
    ...codes
      .filter((row) => row.is_sealed)
      .map((row) => `a sealed copy of the code of ${row.message_id}`),
    ...texts
      .filter((text) => (text.match(/\b\d{6}\b/g) ?? []).some((digits) => known.has(digits)))
      .map((text) => `a code in the text: ${text}`),
  ];
}
