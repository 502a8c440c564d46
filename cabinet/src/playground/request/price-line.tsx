import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import { SMS_SEGMENTS_MAX } from '@zhiber/contract/api/limits.ts';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { countParts } from '../../../../server/src/channels/sms/sms-parts.ts';
import { linkText } from '../../../../server/src/delivery/message-text.ts';
import { priceRange } from '../../../../server/src/http/pages/assets/client/price-range.ts';
import type { Answer } from '../../call.ts';
import { useSession } from '../../session.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { loadOf, type RequestFields, type Sending, sortChannels } from './fields.ts';

export type CallFacts = { facts: Pick<Answer<'keys'>, 'prices' | 'carries'> };
type LineProps = CallFacts & { row: Key; operation: Sending; fields: RequestFields };

/** What the request in the form would cost. */
export function PriceLine({ facts, row, operation, fields }: LineProps) {
  const texts = useTexts().playground;
  const { money } = useFormat();
  const say = () => {
    const load = loadOf(operation, fields);
    if (load === null) return texts.free;
    if (row.mode === 'test') return texts.freeTest;
    const { able } = sortChannels(row, facts.carries.live, load);
    if (able.length === 0 && load !== 'group') return '';
    const isGroup = load === 'group';
    const { from, to } = priceRange(facts.prices, {
      isGroup,
      channel: fields.channel,
      channels: able,
    });
    if (to === 0) return texts.free;
    return from === to ? texts.price(money(to)) : texts.priceRange(money(from), money(to));
  };
  return <output className="text-table text-muted">{say()}</output>;
}

/** Which of the key's channels cannot carry this message: a link is more than a code. */
export function UnableNote({ facts, row, operation, fields }: LineProps) {
  const texts = useTexts().playground;
  const load = loadOf(operation, fields);
  if (load === null || load === 'group') return null;
  const { able, unable } = sortChannels(row, facts.carries[row.mode], load);
  const isChosen = unable.some((channel) => channel === fields.channel);
  if (unable.length === 0 || able.some((channel) => channel === fields.channel)) return null;
  const titles = (isChosen ? unable.filter((one) => one === fields.channel) : unable)
    .map((channel: Channel) => CHANNEL_TITLES[channel])
    .join(', ');
  return (
    <p className={classes('text-sm', isChosen ? 'text-warn' : 'text-muted')}>
      {isChosen ? texts.cannotCarry(titles) : texts.passesBy(titles)}
    </p>
  );
}

/** A short link is about this long: only its length matters here. */
const SAMPLE_SLUG = '/s/abcd2345';

/** How many SMS the text takes once its link is in place. */
export function SmsCounter({ row, fields }: Pick<LineProps, 'row' | 'fields'>) {
  const texts = useTexts().playground;
  const { base_url: address } = useSession();
  const isSms =
    fields.channel === 'sms' || (fields.channel === 'auto' && row.channels.includes('sms'));
  if (!isSms) return null;
  const link = new URL(SAMPLE_SLUG, address).href;
  const text = linkText(row, fields.text.trim() || undefined, link);
  const parts = countParts(text);
  const isTooLong = parts > SMS_SEGMENTS_MAX;
  return (
    <p className={classes('text-sm', isTooLong ? 'text-warn' : 'text-muted')}>
      {texts.smsParts([...text].length, parts)}
      {isTooLong && ` ${texts.smsTooLong(SMS_SEGMENTS_MAX)}`}
    </p>
  );
}
