/** Tests of one provider's own words, as tables: its errors, its answers, its callbacks. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Outcome, OutgoingMessage } from '../../../src/channels/channel.ts';
import type { CallbackContent, CallbackRequest, Provider } from '../../../src/channels/provider.ts';
import { type FixedAnswer, type Scope, startParrot } from './local-server.ts';
import { codeMessage, soon } from './messages.ts';
import type { Rig } from './open-rig.ts';

type Result = Outcome['result'];
/** The whole outcome, or its result alone. */
type Expected = Outcome | Result;

type Open = (t: Scope, changes?: { settings: { url: string } }) => Promise<Rig>;

const NAME_LENGTH_MAX = 60;

/** Each error code of a provider, and what a message comes to that is refused with it. */
export function testRefusals(
  open: Open,
  refusals: Readonly<Record<string, Expected>> | readonly (readonly [string | number, Expected])[],
  message: () => OutgoingMessage = codeMessage,
): void {
  const rig = useForTable(open);
  const entries = Array.isArray(refusals) ? refusals : Object.entries(refusals);
  for (const [code, expected] of entries) {
    const name = shorten(String(code));
    test(`the error «${name}»: ${describe(expected)}, and nothing is sent`, async () => {
      const { provider, simulator } = rig();
      const taken = simulator.journal.taken().length;
      simulator.plans.add({ does: 'refuse', code, times: 1 });
      assertOutcome(await provider.send(message(), soon()), expected);
      assert.equal(simulator.journal.taken().length, taken);
    });
  }
}

/** Answers that no simulator gives, by the name of the answer. */
export function testAnswers(
  open: Open,
  answers: Readonly<Record<string, readonly [status: number, body: unknown, expected: Expected]>>,
): void {
  const answer: FixedAnswer = { status: 0, body: '' };
  const rig = useForTable(async (t) => {
    const { url } = await startParrot(t, answer);
    return await open(t, { settings: { url } });
  });
  for (const [name, [status, body, expected]] of Object.entries(answers)) {
    test(`an answer with ${name}: ${describe(expected)}`, async () => {
      Object.assign(answer, { status, body });
      assertOutcome(await rig().provider.send(codeMessage(), soon()), expected);
    });
  }
}

/**
 * Callbacks by their name; `undefined` where they are not from the provider. One whose time counts is
 * made when its test runs, long after its file was loaded.
 */
export function testCallbacks(
  open: () => Provider,
  callbacks: Readonly<
    Record<
      string,
      readonly [
        request: CallbackRequest | (() => CallbackRequest),
        content: CallbackContent | undefined,
      ]
    >
  >,
): void {
  const provider = open();
  after(() => provider.stop?.());
  for (const [name, [request, content]] of Object.entries(callbacks)) {
    test(`a callback ${name}: ${describeContent(content)}`, () => {
      const made = typeof request === 'function' ? request() : request;
      assert.deepEqual(provider.readCallback?.(made), content);
    });
  }
}

/** Opens one rig for the whole suite that calls this. */
function useForTable(open: (t: Scope) => Promise<Rig>): () => Rig {
  const closes: (() => unknown)[] = [];
  let rig: Rig | undefined;
  before(async () => {
    rig = await open({ after: (close) => closes.push(close) });
  });
  after(async () => {
    for (const close of closes.toReversed()) await close();
  });
  return () => rig ?? assert.fail('the rig is not open');
}

function describe(expected: Expected): string {
  if (typeof expected === 'string') return expected;
  return expected.result === 'accepted'
    ? 'accepted'
    : `${expected.result}, «${shorten(expected.reason)}»`;
}

function describeContent(content: CallbackContent | undefined): string {
  if (content === undefined) return 'not authentic';
  const { reports, contacts = [], unproven = [] } = content;
  const said = [
    ...reports.map(({ receipt }) => receipt),
    ...contacts.map(({ kind }) => kind),
    ...unproven.map((id) => `${id} is to be queried`),
  ];
  return said.length === 0 ? 'authentic, and tells nothing' : said.join(', ');
}

/** For the name of a test. */
function shorten(text: string): string {
  return text.replaceAll(/\p{C}/gu, '·').slice(0, NAME_LENGTH_MAX);
}

function assertOutcome(outcome: Outcome, expected: Expected): void {
  if (typeof expected === 'string') {
    assert.equal(outcome.result, expected, JSON.stringify(outcome));
    if (outcome.result !== 'accepted') assertReason(outcome.reason);
  } else {
    assert.deepEqual(outcome, expected);
  }
}

/** A sentence for people, not a code or a text of the provider. */
export function assertReason(reason: string): void {
  assert.match(reason, /^[А-ЯSTW].*[а-я].{5}/);
  assert.doesNotMatch(reason, /(?:код|ошибка) \d|undefined|planned/);
}
