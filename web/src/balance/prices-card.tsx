import { CHANNEL_TITLES, CHANNELS } from '@zhiber/contract/api/channel.ts';
import type { Answer } from '../call.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Card } from '../ui/display/card.tsx';

/** What one message costs in each channel. */
export function PricesCard({ prices }: { prices: Answer<'balance'>['prices'] }) {
  const texts = useTexts().balance;
  const format = useFormat();
  const money = (tokens: number) => (tokens === 0 ? texts.free : format.money(tokens));
  const rows = [
    ...CHANNELS.map((channel) => [CHANNEL_TITLES[channel], prices[channel]] as const),
    [texts.group, prices.group] as const,
    [texts.shortening, 0] as const,
  ];
  return (
    <Card title={texts.pricesTitle}>
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        {rows.map(([name, tokens]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-medium">{money(tokens)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
