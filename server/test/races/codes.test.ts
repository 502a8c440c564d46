import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { runConcurrently, type TestKey } from '../harness.ts';
import { attemptsLeft, tally } from '../money/two-nodes.ts';
import { wrongCode } from '../wrong-code.ts';
import type { ApiRequest } from './barrier.ts';
import { lockCodes } from './contended-lock.ts';
import { outcomes, type Raced, race } from './race.ts';
import { useTwoServers } from './two-servers.ts';

const servers = useTwoServers();
const GUESSES_PER_CODE = 5;
const GUESSES_PER_HOUR = 10;
const GUESSES = 200;

const send = ({ key }: TestKey, phone: string): ApiRequest => ({
  path: '/otp/send',
  key,
  body: { phone },
});
const guess = ({ key }: TestKey, phone: string, code: string): ApiRequest => ({
  path: '/otp/verify',
  key,
  body: { phone, code },
});

/** Sends a code and reads it from the virtual phone. */
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

function wrongGuesses(key: TestKey, phone: string, code: string): ApiRequest[] {
  return Array.from({ length: GUESSES }, (_, i) => guess(key, phone, wrongCode(code, i)));
}

/**
 * The count is exact unless some answers were 503: such a request may have been executed without
 * its result reaching the client. The count is never higher than the limit.
 */
function assertCount(count: number, expected: number, { overloadedCount }: Raced): void {
  const isExpected = count <= expected && count >= expected - overloadedCount;
  assert(isExpected, `${count} of ${expected}, ${overloadedCount} answered with 503`);
}

race(servers, '200 wrong guesses of one code', async (start) => {
  const key = await servers.key();
  const phone = servers.phone();
  const code = await sendCode(key, phone);
  const release = await start(wrongGuesses(key, phone, code), lockCodes(key));
  const { invalid_code: compared = 0, too_many_attempts: refused = 0 } = tally(release.answers);
  assert.equal(compared + refused, GUESSES);
  assertCount(compared, GUESSES_PER_CODE, release);
  const left = attemptsLeft(release.answers);
  if (release.overloadedCount === 0) assert.deepEqual(left, [4, 3, 2, 1, 0]);
  assert.equal(new Set(left).size, compared, 'every guess gets a different attempts_left');
  const right = await servers.call(guess(key, phone, code));
  assert.equal(right.body.error_code, 'too_many_attempts');
  return outcomes(release);
});

/** For each phone, the right guess is at a random place among this many first guesses. */
const RIGHT_AMONG_FIRST = [GUESSES, 50, 20, 10, 5];

race(servers, '200 guesses with the right one among them, on 5 phones', async (start) => {
  const key = await servers.key();
  const phones = RIGHT_AMONG_FIRST.map(() => servers.phone());
  const attacks = await runConcurrently(phones.length, async (i) => {
    const phone = phones[i] as string;
    const code = await sendCode(key, phone);
    const place = randomInt(RIGHT_AMONG_FIRST[i] as number);
    return wrongGuesses(key, phone, code).with(place, guess(key, phone, code));
  });
  // Interleaved, so that the first guesses of every phone are released first.
  const interleaved = Array.from({ length: GUESSES }, (_, i) =>
    attacks.map((guesses) => guesses[i] as ApiRequest),
  );
  const release = await start(interleaved.flat(), lockCodes(key));
  for (const phoneIndex of phones.keys()) {
    const answers = release.answers.filter((_, i) => i % phones.length === phoneIndex);
    assertFiveCompared({ ...release, answers });
  }
  return outcomes(release);
});

/** At most five guesses are compared: the right one uses the code up, five wrong ones lock it. */
function assertFiveCompared(release: Raced): void {
  const { ok = 0, invalid_code: wrong = 0, ...refused } = tally(release.answers);
  if (refused.code_already_used === undefined) {
    assertCount(wrong, GUESSES_PER_CODE, release);
    assert.deepEqual([ok, refused], [0, { too_many_attempts: GUESSES - wrong }]);
    return;
  }
  assertCount(ok, 1, release);
  assert(wrong < GUESSES_PER_CODE, `${wrong} wrong guesses were compared before the right one`);
  assert.deepEqual(refused, { code_already_used: GUESSES - ok - wrong });
}

race(
  servers,
  '1,600 wrong guesses with resends until none is possible in this hour',
  async (start) => {
    // Eight digits make it unlikely that a new code equals the guess, which would spoil the count.
    const key = await servers.key({ codeLength: 8 });
    const phone = servers.phone();
    const wrong = (await sendCode(key, phone)) === '00000000' ? '00000001' : '00000000';
    const guesses = (count: number) =>
      Array.from({ length: count }, () => guess(key, phone, wrong));
    let compared = 0;
    let overloadedCount = 0;
    const count = (release: Raced) => {
      const { invalid_code = 0, too_many_attempts = 0 } = tally(release.answers);
      assert.equal(invalid_code + too_many_attempts, release.answers.length);
      compared += invalid_code;
      overloadedCount += release.overloadedCount;
      return invalid_code;
    };

    const first = await start(guesses(GUESSES), lockCodes(key));
    assertCount(count(first), GUESSES_PER_CODE, first);
    // Some of these guesses reach the old code, which is locked, and some the new one.
    await servers.passMinute(key.companyId);
    const duringResend = await start([send(key, phone), ...guesses(1_000)], lockCodes(key));
    const [resent, ...guessed] = duringResend.answers;
    assert.equal(resent?.status, 200);
    const figures = { 'compared during a resend': count({ ...duringResend, answers: guessed }) };
    assert(compared <= GUESSES_PER_HOUR, `${compared} were compared`);

    for (let resends = 2; resends <= 3; resends++) {
      await servers.passMinute(key.companyId);
      // A code that nobody could verify is not sent.
      const isLocked = compared === GUESSES_PER_HOUR;
      assert.equal((await servers.call(send(key, phone))).status, isLocked ? 429 : 200);
      count(await start(guesses(GUESSES), lockCodes(key)));
      assertCount(compared, GUESSES_PER_HOUR, { answers: [], overloadedCount });
    }
    const right = await servers.call(guess(key, phone, await newestCode(key, phone)));
    assert.equal(right.body.error_code, 'too_many_attempts');
    const wait = Number(right.body.retry_after);
    assert(wait > 60 && wait <= 3_600, `retry_after ${wait}`);
    return { ...figures, 'compared in total': compared };
  },
);

race(servers, '1,000 right guesses of one code', async (start) => {
  const key = await servers.key();
  const phone = servers.phone();
  const code = await sendCode(key, phone);
  const release = await start(
    Array.from({ length: 1_000 }, () => guess(key, phone, code)),
    lockCodes(key),
  );
  const { ok = 0, ...refused } = tally(release.answers);
  assertCount(ok, 1, release);
  assert.deepEqual(refused, { code_already_used: 1_000 - ok });
  return outcomes(release);
});
