import { CHANNEL_TITLES, type Channel } from '@zhiber/contract/api/channel.ts';
import { SMS_SEGMENTS_MAX } from '@zhiber/contract/api/limits.ts';
import { codeText, linkText } from '@zhiber/contract/message/message-text.ts';
import { countParts } from '@zhiber/contract/message/sms-parts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { priceRange } from '../price-range.ts';
import type { RequestProps } from './draft.ts';
import { contentOf, sortChannels } from './fields.ts';

/** What the request in the form would cost. */
export function PriceLine({ facts, apiKey, operation, fields }: RequestProps) {
  const texts = useTexts().playground;
  const { money } = useFormat();
  const say = () => {
    const content = contentOf(operation, fields);
    if (content === null) return texts.free;
    if (apiKey.mode === 'test') return texts.freeTest;
    const { able } = sortChannels(apiKey, facts.carries.live, content);
    const isGroup = content === 'group';
    if (able.length === 0 && !isGroup) return '';
    const { from, to } = priceRange(facts.prices, {
      isGroup,
      channel: fields.channel,
      channels: able,
      smsParts: facts.isSmsPerPart ? countParts(smsText({ facts, apiKey, operation, fields })) : 1,
    });
    if (to === 0) return texts.free;
    return from === to ? texts.price(money(to)) : texts.priceRange(money(from), money(to));
  };
  return <output className="text-table text-muted">{say()}</output>;
}

/** Which of the key's channels cannot carry this message: a link is more than a code. */
export function UnableNote({ facts, apiKey, operation, fields }: RequestProps) {
  const texts = useTexts().playground;
  const content = contentOf(operation, fields);
  if (content === null || content === 'group') return null;
  const { able, unable } = sortChannels(apiKey, facts.carries[apiKey.mode], content);
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

/** A short link and a code are about this long: only their lengths matter here. */
const SAMPLE_SLUG = '/s/abcd2345';
const SAMPLE_CODE = '000000';

/** The SMS that the request in the form would make. */
function smsText({ apiKey, facts, operation, fields }: SmsRequest): string {
  const link = new URL(SAMPLE_SLUG, facts.baseUrl).href;
  if (contentOf(operation, fields) === 'text') {
    return linkText(apiKey, fields.text.trim() || undefined, link);
  }
  const hasLink = contentOf(operation, fields) === 'code_with_link';
  const voice = { ...apiKey, domain: null };
  return codeText(voice, {
    channel: 'sms',
    code: SAMPLE_CODE,
    link: hasLink ? link : undefined,
  });
}

type SmsRequest = Pick<RequestProps, 'apiKey' | 'facts' | 'operation' | 'fields'>;

/** How many SMS the text takes once its link is in place. */
export function SmsCounter({ apiKey, facts, operation, fields }: RequestProps) {
  const texts = useTexts().playground;
  const isSms =
    fields.channel === 'sms' || (fields.channel === 'auto' && apiKey.channels.includes('sms'));
  if (!isSms) return null;
  const text = smsText({ facts, apiKey, operation, fields });
  const parts = countParts(text);
  const isTooLong = parts > SMS_SEGMENTS_MAX;
  return (
    <p className={classes('text-sm', isTooLong ? 'text-warn' : 'text-muted')}>
      {texts.smsParts([...text].length, parts)}
      {isTooLong && ` ${texts.smsTooLong(SMS_SEGMENTS_MAX)}`}
    </p>
  );
}
