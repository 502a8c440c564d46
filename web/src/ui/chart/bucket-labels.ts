import type { OVERVIEW_RANGES } from '@zhiber/contract/cabinet/message-words.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';

export type ChartRange = (typeof OVERVIEW_RANGES)[number];

/** The labels of the buckets: hours for a day, otherwise days. */
export function useBucketLabels(range: ChartRange, buckets: readonly { at: string }[]) {
  const format = useFormat();
  const texts = useTexts().lists;
  const isByHour = range === '24h';
  return {
    labels: buckets.map(({ at }) => (isByHour ? format.clock(at) : format.date(at))),
    labelTitle: isByHour ? texts.hour : texts.day,
  };
}
