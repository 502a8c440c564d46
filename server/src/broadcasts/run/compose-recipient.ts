import type { Channel } from '@zhiber/contract/api/channel.ts';
import {
  fillTemplate,
  fitsSms,
  type ParsedBroadcast,
  type RecipientFacts,
  renderBroadcast,
} from '@zhiber/contract/message/broadcast-text.ts';
import type { FilledTemplate } from '../../channels/channel.ts';
import type { Route } from '../../delivery/choose-route.ts';
import type { StoredBroadcast } from './broadcast-store.ts';

/** What one recipient gets. */
export type ComposedRecipient = {
  /** Without SMS when the text is too long for it. */
  route: Route;
  /** The text of each channel of the route. */
  texts: Partial<Record<Channel, string>>;
  /** Kept with the message, for the history and for a channel that is tried later. */
  body: string;
  /** For WhatsApp, which sends it only by a template. */
  template: FilledTemplate | undefined;
};

export function composeRecipient(
  { whatsappTemplate }: Pick<StoredBroadcast, 'whatsappTemplate'>,
  parsed: ParsedBroadcast,
  { route, facts }: { route: Route; facts: RecipientFacts },
): ComposedRecipient {
  const texts = Object.fromEntries(
    route.map(({ channel }) => [channel, renderBroadcast(parsed, channel, facts)]),
  ) as ComposedRecipient['texts'];
  const isTooLong = texts.sms !== undefined && !fitsSms(texts.sms);
  const fitting = isTooLong ? route.filter(({ channel }) => channel !== 'sms') : route;
  const first = fitting[0]?.channel;
  const template =
    texts.whatsapp === undefined || whatsappTemplate === null || parsed.template === null
      ? undefined
      : {
          name: whatsappTemplate.name,
          language: whatsappTemplate.language,
          variables: fillTemplate(parsed.template, facts).variables,
        };
  return {
    route: fitting,
    texts,
    // The text of an SMS suits every other channel as well.
    body: (isTooLong ? undefined : texts.sms) ?? (first && texts[first]) ?? '',
    template,
  };
}
