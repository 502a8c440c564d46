import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestKey, together } from '../harness.ts';
import { tally } from '../money/two-nodes.ts';
import { wrongCode } from '../wrong-code.ts';
import type { Question, RawAnswer } from './barrier.ts';
import { atCodes } from './meeting.ts';
import { outcomes, type Raced, race } from './race.ts';
import { useTwoServers } from './two-servers.ts';

const servers = useTwoServers();
const PER_CODE = 5;
const PER_HOUR = 10;
const GUESSES = 200;

const send = ({ key }: TestKey, phone: string): Question => ({
  path: '/otp/send',
  key,
  body: { phone },
});
const guess = ({ key }: TestKey, phone: string, code: string): Question => ({
  path: '/otp/verify',
  key,
  body: { phone, code },
});

/** The code that the phone shows once it has been sent. */
async function sendCode(key: TestKey, phone: string): Promise<string> {
  assert.equal((await servers.call(send(key, phone))).status, 200);
  return await newestCode(key, phone);
}

async function newestCode(key: TestKey, phone: string): Promise<string> {
  const inbox = await servers.inbox(key, phone);
  const code = inbox.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1)?.code;
  assert(typeof code === 'string', `no code came to ${phone}`);
  return code;
}

function wrongGuesses(key: TestKey, phone: string, code: string): Question[] {
  return Array.from({ length: GUESSES }, (_, i) => guess(key, phone, wrongCode(code, i)));
}

/**
 * A server that is too busy to answer in time may have compared all the same, so that as many answers
 * fewer than promised may tell of it; never more.
 */
function assertTold(count: number, promised: number, { sentAway }: Raced): void {
  const isTold = count <= promised && count >= promised - sentAway;
  assert(isTold, `${count} of ${promised}, ${sentAway} sent away`);
}

/** What the wrong guesses that were compared have been told, from the first to the last. */
function attemptsLeft(answers: readonly RawAnswer[]): unknown[] {
  return answers
    .filter(({ body }) => body.error_code === 'invalid_code')
    .map(({ body }) => body.attempts_left)
    .sort()
    .reverse();
}

race(servers, '200 wrong guesses of one code', async (start) => {
  const key = await servers.key();
  const phone = servers.phone();
  const code = await sendCode(key, phone);
  const release = await start(wrongGuesses(key, phone, code), atCodes(key));
  const { invalid_code: compared = 0, too_many_attempts: refused = 0 } = tally(release.answers);
  assert.equal(compared + refused, GUESSES);
  assertTold(compared, PER_CODE, release);
  const told = attemptsLeft(release.answers);
  if (release.sentAway === 0) assert.deepEqual(told, [4, 3, 2, 1, 0]);
  assert.equal(new Set(told).size, compared, 'each is told a number of its own');
  const right = await servers.call(guess(key, phone, code));
  assert.equal(right.body.error_code, 'too_many_attempts');
  return outcomes(release);
});

/** How far back the right guess may stand, for each phone: the nearer, the more often it is in time. */
const RIGHT_IS_AMONG_FIRST = [GUESSES, 50, 20, 10, 5];

race(servers, '200 guesses with the right one among them, at 5 phones', async (start) => {
  const key = await servers.key();
  const phones = RIGHT_IS_AMONG_FIRST.map(() => servers.phone());
  const attacks = await together(phones.length, async (i) => {
    const phone = phones[i] as string;
    const code = await sendCode(key, phone);
    const place = randomInt(RIGHT_IS_AMONG_FIRST[i] as number);
    return wrongGuesses(key, phone, code).with(place, guess(key, phone, code));
  });
  // In turns, so that every phone's first guesses are among the first.
  const inTurns = Array.from({ length: GUESSES }, (_, i) =>
    attacks.map((guesses) => guesses[i] as Question),
  );
  const release = await start(inTurns.flat(), atCodes(key));
  for (const at of phones.keys()) {
    const answers = release.answers.filter((_, i) => i % phones.length === at);
    assertFiveCompared({ ...release, answers });
  }
  return outcomes(release);
});

/** At most five, the right one included: it uses the code up, and five wrong ones lock it. */
function assertFiveCompared(release: Raced): void {
  const { ok = 0, invalid_code: wrong = 0, ...refused } = tally(release.answers);
  if (refused.code_already_used === undefined) {
    assertTold(wrong, PER_CODE, release);
    assert.deepEqual([ok, refused], [0, { too_many_attempts: GUESSES - wrong }]);
    return;
  }
  assertTold(ok, 1, release);
  assert(wrong < PER_CODE, `${wrong} wrong guesses were compared before the right one`);
  assert.deepEqual(refused, { code_already_used: GUESSES - ok - wrong });
}

race(servers, '1,600 wrong guesses with three resends in an hour', async (start) => {
  // Eight digits: a new code that happens to be the guess would spoil the count.
  const key = await servers.key({ codeLength: 8 });
  const phone = servers.phone();
  const wrong = (await sendCode(key, phone)) === '00000000' ? '00000001' : '00000000';
  const guesses = (count: number) => Array.from({ length: count }, () => guess(key, phone, wrong));
  let compared = 0;
  let sentAway = 0;
  const count = (release: Raced) => {
    const { invalid_code = 0, too_many_attempts = 0 } = tally(release.answers);
    assert.equal(invalid_code + too_many_attempts, release.answers.length);
    compared += invalid_code;
    sentAway += release.sentAway;
    return invalid_code;
  };

  const first = await start(guesses(GUESSES), atCodes(key));
  assertTold(count(first), PER_CODE, first);
  // Some of these meet the old code, which has been guessed at enough, and some the new one.
  await servers.letMinutePass(key.companyId);
  const midst = await start([send(key, phone), ...guesses(1_000)], atCodes(key));
  const [resent, ...guessed] = midst.answers;
  assert.equal(resent?.status, 200);
  const figures = { 'compared while a resend came': count({ ...midst, answers: guessed }) };
  assert(compared <= PER_HOUR, `${compared} were compared`);

  for (let resends = 2; resends <= 3; resends++) {
    await servers.letMinutePass(key.companyId);
    await sendCode(key, phone);
    count(await start(guesses(GUESSES), atCodes(key)));
    assertTold(compared, PER_HOUR, { answers: [], sentAway });
  }
  const right = await servers.call(guess(key, phone, await newestCode(key, phone)));
  assert.equal(right.body.error_code, 'too_many_attempts');
  const wait = Number(right.body.retry_after);
  assert(wait > 60 && wait <= 3_600, `retry_after ${wait}`);
  return { ...figures, 'compared in all': compared };
});

race(servers, '1,000 right guesses of one code', async (start) => {
  const key = await servers.key();
  const phone = servers.phone();
  const code = await sendCode(key, phone);
  const release = await start(
    Array.from({ length: 1_000 }, () => guess(key, phone, code)),
    atCodes(key),
  );
  const { ok = 0, ...refused } = tally(release.answers);
  assertTold(ok, 1, release);
  assert.deepEqual(refused, { code_already_used: 1_000 - ok });
  return outcomes(release);
});
