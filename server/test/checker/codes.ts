/** What must be true of codes, counted from what the clients were answered. */
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

/** Codes by key and phone; the load has one purpose per phone. */
function identities(logs: Logs): Identity[] {
  const ofCodes = logs.clients.filter(
    ({ action, outcome }) =>
      (action === 'send_code' || action === 'verify') && outcome !== 'unreached',
  );
  const byName = Map.groupBy(ofCodes, ({ keyId, phone }) => `${keyId} ${phone}`);
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

/** A repeated request gets the first answer again, which is no second success or comparison. */
function withoutRepeats(guesses: Acknowledgement[]): Acknowledgement[] {
  const seen = new Set<string>();
  return guesses.filter(({ idempotencyKey }) => {
    if (idempotencyKey === null) return true;
    if (seen.has(idempotencyKey)) return false;
    seen.add(idempotencyKey);
    return true;
  });
}

/** A code is right once, and only if it is the newest that the phone has shown. */
export function rightTwice(logs: Logs): string[] {
  const shown = Map.groupBy(logs.phones, ({ phone }) => phone);
  return identities(logs).flatMap(({ name, phone, guesses }) => {
    const right = withoutRepeats(guesses.filter(isRight));
    const byCode = Map.groupBy(right, ({ given }) => given);
    const twice = [...byCode.values()].filter((acks) => acks.length > 1);
    const messages = (shown.get(phone) ?? []).filter(({ code }) => code !== null);
    const stale = right.filter((ack) => {
      const newest = messages.filter(({ at }) => at <= ack.endedAt).at(-1);
      return newest?.code !== ack.given;
    });
    return [
      ...twice.map((acks) => `${name}: one code was right ${acks.length} times`),
      ...stale.map(() => `${name}: a code was right that the phone does not show`),
    ];
  });
}

/** Comparisons are answers that told right from wrong: five a code, ten failures an hour. */
export function comparedTooOften(logs: Logs): string[] {
  return identities(logs).flatMap(({ name, sends, guesses }) => {
    const compared = withoutRepeats(guesses.filter((ack) => isRight(ack) || isWrong(ack)));
    const byCode = Map.groupBy(compared.filter(isWrong), (ack) => newCodes(sends, ack));
    const perCode = [...byCode.values()].filter((acks) => acks.length > WRONG_PER_CODE_MAX);
    const inAnHour = failuresInAnHour(compared);
    return [
      ...perCode.map((acks) => `${name}: ${acks.length} wrong guesses at one code were compared`),
      ...(inAnHour > WRONG_PER_HOUR_MAX ? [`${name}: ${inAnHour} wrong guesses in an hour`] : []),
    ];
  });
}

/** How many codes had replaced each other when a guess was made. */
function newCodes(sends: Acknowledgement[], guess: Acknowledgement): number {
  const made = sends.filter(
    ({ endedAt, outcome, errorCode }) =>
      endedAt <= guess.startedAt && (outcome !== 'refused' || errorCode === 'delivery_unconfirmed'),
  );
  return new Set(made.map(({ messageId, requestId }) => messageId ?? requestId)).size;
}

/** The most failures in any hour since the last success, which begins the count anew. */
function failuresInAnHour(compared: Acknowledgement[]): number {
  let run: number[] = [];
  let most = 0;
  for (const ack of compared) {
    run = isRight(ack) ? [] : [...run.filter((at) => at > ack.endedAt - HOUR_MS), ack.endedAt];
    most = Math.max(most, run.length);
  }
  return most;
}

/** Each success the clients were told of is in the database, and the other way round. */
export function successesDiffer(logs: Logs): string[] {
  const rows = new Map(logs.database.codes.map((row) => [`${row.key_id} ${row.phone}`, row]));
  const told = identities(logs).flatMap(({ name, sends, guesses }) => {
    const last = guesses.filter(isRight).at(-1);
    if (last === undefined) return [];
    const isReplaced = sends.some(({ endedAt }) => endedAt > last.startedAt);
    return isReplaced || rows.get(name)?.is_verified ? [] : [`${name}: a success is lost`];
  });
  const guessed = new Map(identities(logs).map((identity) => [identity.name, identity.guesses]));
  const unheard = [...rows]
    .filter(([, row]) => row.is_verified)
    .filter(([name]) => !(guessed.get(name) ?? []).some((ack) => isRight(ack) || isCutOff(ack)))
    .map(([name]) => `${name}: verified, and nobody was told`);
  return [...told, ...unheard];
}

/** A service that is away may have committed what it could not answer any more. */
const isCutOff = ({ outcome, errorCode }: Acknowledgement) =>
  outcome === 'unknown' ||
  ['request_in_progress', 'service_unavailable'].includes(String(errorCode));

/** At rest no copy of a code is left, and none stands in any text the service keeps. */
export function codesAreKept(logs: Logs): string[] {
  const { codes, messages, answers } = logs.database;
  const known = new Set(logs.phones.flatMap(({ code }) => (code === null ? [] : [code])));
  const texts = [...messages.map(({ body }) => body ?? ''), ...answers.map(({ answer }) => answer)];
  return [
    ...codes.filter((row) => row.is_sealed).map((row) => `a copy of the code of ${row.message_id}`),
    ...texts
      .filter((text) => (text.match(/\b\d{6}\b/g) ?? []).some((digits) => known.has(digits)))
      .map((text) => `a code in the text: ${text}`),
  ];
}
