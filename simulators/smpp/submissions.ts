import type { Journal } from '../frame/journal.ts';
import { isTaken, type Plan, type Plans } from '../frame/plan.ts';
import { answerSubmit } from './answer.ts';
import type { Connection } from './connection.ts';
import { type Header, readOctets } from './octets.ts';
import { type ReceiptSpelling, responseId } from './receipt-spelling.ts';
import type { Receipts, ReportablePart } from './receipts.ts';
import { findFault, readShortMessage, type ShortMessage, textOf } from './short-message.ts';
import { createWholeMessages } from './whole-messages.ts';

export type Submissions = {
  /** Throws when the octets do not follow the layout. */
  take(connection: Connection, header: Header, body: Buffer): void;
  find(id: string): ReportablePart | undefined;
  /** The peak of unanswered messages per connection, and how often the window was exceeded. */
  figures(): { windowPeak: number; windowBreaches: number };
};

/** What the centre allows a client. */
export type Allowance = {
  sender?: string;
  window?: number;
  ratePerSecond?: number;
  spelling?: ReceiptSpelling;
  firstNumber?: number;
};

const THROTTLED = 0x58;
const SUBMIT_FAILED = 0x45;
/** Large enough for its hexadecimal form to contain letters. */
const FIRST_NUMBER = 0x0abc_0001;

/** Handles incoming messages: validates them strictly, then applies the plans. */
export function createSubmissions(
  {
    sender,
    window = Number.POSITIVE_INFINITY,
    ratePerSecond,
    spelling = {},
    firstNumber = FIRST_NUMBER,
  }: Allowance,
  { journal, plans, receipts }: { journal: Journal; plans: Plans; receipts: Receipts },
): Submissions {
  const wholeMessages = createWholeMessages(journal);
  const parts = new Map<string, ReportablePart>();
  const isWithinRate = createRateLimit(ratePerSecond);
  const figures = { windowPeak: 0, windowBreaches: 0 };
  let nextNumber = firstNumber;

  const planFor = (connection: Connection, message: ShortMessage): Plan => {
    connection.unanswered += 1;
    figures.windowPeak = Math.max(figures.windowPeak, connection.unanswered);
    const isOverWindow = connection.unanswered > window;
    if (isOverWindow) figures.windowBreaches += 1;
    const fault = isOverWindow || !isWithinRate() ? THROTTLED : findFault(message, sender);
    return fault === 0 ? plans.take(message.destination) : { does: 'refuse', code: fault };
  };
  const takePart = (message: ShortMessage, plan: Plan): ReportablePart => {
    const number = plan.sameId === true ? nextNumber - 1 : nextNumber++;
    const { content, joint, source: from, destination: to, ...details } = message;
    const id = responseId(number, spelling);
    const part = { id, number, from, to, text: textOf(message) };
    wholeMessages.take({ ...part, joint, details: { from, ...details } });
    parts.set(id, part);
    return part;
  };

  return {
    take(connection, header, body) {
      const message = readShortMessage(readOctets(body));
      const plan = planFor(connection, message);
      if (plan.does === 'refuse' || plan.does === 'fail') {
        const status = Number(plan.code ?? SUBMIT_FAILED);
        const code = status.toString(16);
        journal.write({ event: 'refused', to: message.destination, code });
        void answerSubmit(connection, { request: header, status, id: '' }, plan);
        return;
      }
      const part = isTaken(plan) ? takePart(message, plan) : undefined;
      // An early receipt is written here, before the answer.
      if (part !== undefined && message.registeredDelivery !== 0) receipts.begin(part, plan);
      const id = part?.id ?? responseId(nextNumber++, spelling);
      void answerSubmit(connection, { request: header, status: 0, id }, plan);
    },
    find: (id) => parts.get(id),
    figures: () => ({ ...figures }),
  };
}

/** Whether one more message is within the rate of the last second; counts it if so. */
function createRateLimit(perSecond: number | undefined): () => boolean {
  let acceptedAt: number[] = [];
  return () => {
    if (perSecond === undefined) return true;
    const now = performance.now();
    acceptedAt = acceptedAt.filter((at) => at > now - 1_000);
    if (acceptedAt.length >= perSecond) return false;
    acceptedAt.push(now);
    return true;
  };
}
