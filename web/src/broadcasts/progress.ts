import type { Progress } from '@zhiber/contract/cabinet/broadcasts.ts';

export type ProgressFigures = {
  /** Recipients whose turn has come, whatever became of them. */
  taken: number;
  recipients: number;
  delivered: number;
  /** Of those that a channel has taken; undefined while there are none. */
  deliveredShare: number | undefined;
};

/** What a list shows of a started broadcast. */
export function progressFigures({ recipients, outcomes }: Progress): ProgressFigures {
  const delivered = outcomes.delivered + outcomes.read;
  const accepted = delivered + outcomes.sent + outcomes.failed + outcomes.unknown;
  return {
    taken: recipients - outcomes.waiting,
    recipients,
    delivered,
    deliveredShare: accepted === 0 ? undefined : delivered / accepted,
  };
}

/** In whole percents, rounded down: 100 % is shown only when nothing is left. */
export function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.floor((part / whole) * 100);
}
