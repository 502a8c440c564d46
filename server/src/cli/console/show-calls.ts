import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Context, FinishedCall } from '../../context.ts';
import { findAttempts } from '../../messages/message-store.ts';
import { callLine, isSend, type Look, type ShownCall, sumLine } from './send-lines.ts';

/** How long calls are gathered before they are printed; a burst goes on in one line a second. */
const GATHER_MS = 100;
const BURST_MS = 1_000;
/** More sends than this at once are summed up. */
const LINES_MAX = 5;
/** Of calls that nobody could read any more the sum is enough; a bound for the memory. */
const WAITING_MAX = 20_000;

/** What the console needs of the service. */
export type ConsoleContext = Pick<Context, 'db' | 'clock' | 'urls' | 'onCall'>;

export type ShownCalls = {
  /** Also calls that send nothing, such as checks of codes. */
  showAll(isOn: boolean): void;
  /** Prints what has gathered, and no more. */
  stop(): Promise<void>;
};

/** Prints a line for each send, when its outcome is known. The call has been answered by then. */
export function showCalls(
  ctx: ConsoleContext,
  look: Omit<Look, 'publicUrl'>,
  print: (line: string) => void,
): ShownCalls {
  let waiting: ShownCall[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isBurst = false;
  let showsAll = false;
  let printing = Promise.resolve();
  const shown = { ...look, publicUrl: ctx.urls.publicUrl };

  const flush = () => {
    timer = undefined;
    const calls = waiting;
    waiting = [];
    isBurst = calls.length > LINES_MAX;
    printing = printing.then(() => printAll(calls)).catch(() => undefined);
  };
  const printAll = async (calls: ShownCall[]) => {
    if (calls.length > LINES_MAX) return print(sumLine(calls, shown));
    for (const call of calls) print(callLine(await withAttempts(ctx, call), shown));
  };

  ctx.onCall = (call: FinishedCall) => {
    if (!showsAll && !isSend(call)) return;
    if (waiting.length >= WAITING_MAX) return;
    waiting.push({ ...call, at: ctx.clock.now(), tried: [] });
    timer ??= setTimeout(flush, isBurst ? BURST_MS : GATHER_MS).unref();
  };
  return {
    showAll(isOn) {
      showsAll = isOn;
    },
    async stop() {
      ctx.onCall = undefined;
      clearTimeout(timer);
      if (waiting.length > 0) flush();
      await printing;
    },
  };
}

/** The channels of a send that went past its first one. A database that is away costs the detail. */
async function withAttempts(ctx: ConsoleContext, call: ShownCall): Promise<ShownCall> {
  const { companyId, messageId } = call;
  if (companyId === undefined || messageId === undefined) return call;
  const attempts = await findAttempts(ctx.db, companyId, messageId).catch(() => []);
  const tried = attempts.map(({ channel, state }) => ({
    channel: channel as Channel,
    isAccepted: state === 'accepted',
  }));
  return { ...call, tried };
}
