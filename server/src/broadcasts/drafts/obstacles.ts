import type { Channel } from '@zhiber/contract/api/channel.ts';
import type { Broadcast } from '@zhiber/contract/cabinet/broadcasts.ts';
import {
  fitsSms,
  needsLink,
  parseBroadcast,
  type RecipientFacts,
  renderBroadcast,
  usedTexts,
} from '@zhiber/contract/message/broadcast-text.ts';
import type { MessageLanguage } from '@zhiber/contract/message/message-text.ts';
import type { DraftFields } from './draft-store.ts';

export type Obstacle = Broadcast['obstacles'][number];

export type DraftToStart = Pick<
  DraftFields,
  'text' | 'url' | 'whatsappTemplate' | 'channels' | 'startAt' | 'consentBasis'
> & {
  columns: readonly string[];
  /** Rows that will be sent; 0 while they are not checked. */
  recipients: number;
};

export type StartFacts = {
  now: Date;
  language: MessageLanguage;
  offeredChannels: readonly Channel[];
  sample: (cells: readonly string[]) => RecipientFacts;
};

/** The shortest cell that is not empty, and needs no wide letters. */
const SHORT_CELL = '.';

/** Why a draft cannot be started as it is, in the order of its steps. Empty when it can. */
export function findObstacles(draft: DraftToStart, facts: StartFacts): Obstacle[] {
  const { channels, columns, whatsappTemplate: template } = draft;
  const parsed = parseBroadcast({ text: draft.text, template, columns, language: facts.language });
  const usesText = channels.length === 0 || channels.some((channel) => channel !== 'whatsapp');
  const usesTemplate = channels.includes('whatsapp');
  const found: Record<Obstacle, boolean> = {
    no_recipients: draft.recipients === 0,
    no_text: usesText && draft.text.trim() === '',
    no_url: needsLink(parsed, channels) && draft.url === null,
    unknown_variable: usedTexts(parsed, channels).some(({ unknown }) => unknown.length > 0),
    // With the shortest cells. Rows with longer ones are left out one by one.
    text_too_long:
      channels.includes('sms') &&
      !fitsSms(renderBroadcast(parsed, 'sms', facts.sample(columns.map(() => SHORT_CELL)))),
    no_channel: !channels.some((channel) => facts.offeredChannels.includes(channel)),
    no_template: usesTemplate && (parsed.template === null || parsed.template.missing.length > 0),
    start_in_past: draft.startAt !== null && draft.startAt < facts.now,
    no_consent: draft.consentBasis === null,
  };
  return (Object.keys(found) as Obstacle[]).filter((name) => found[name]);
}
