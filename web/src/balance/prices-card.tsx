import { CHANNEL_TITLES, CHANNELS, type Channel } from '@zhiber/contract/api/channel.ts';
import type { Answer } from '../call.ts';
import { useSession } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Card } from '../ui/display/card.tsx';

/** What one message costs in each channel. */
export function PricesCard({ prices }: { prices: Answer<'balance'>['prices'] }) {
  const texts = useTexts().balance;
  const format = useFormat();
  const { is_sms_per_part: isSmsPerPart } = useSession();
  const money = (tokens: number) => (tokens === 0 ? texts.free : format.money(tokens));
  const priceOf = (channel: Channel) =>
    channel === 'sms' && isSmsPerPart && prices.sms > 0
      ? `${money(prices.sms)} ${texts.perPart}`
      : money(prices[channel]);
  const rows = [
    ...CHANNELS.map((channel) => [CHANNEL_TITLES[channel], priceOf(channel)] as const),
    [texts.group, money(prices.group)] as const,
    [texts.shortening, money(0)] as const,
  ];
  return (
    <Card title={texts.pricesTitle}>
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        {rows.map(([name, price]) => (
          <div key={name}>
            <dt className="text-sm text-muted">{name}</dt>
            <dd className="font-medium">{price}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
