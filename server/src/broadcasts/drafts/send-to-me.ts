import type { Channel } from '@zhiber/contract/api/channel.ts';
import {
  fillTemplate,
  fitsSms,
  needsLink,
  parseBroadcast,
  type RecipientFacts,
  renderBroadcast,
} from '@zhiber/contract/message/broadcast-text.ts';
import type { Context } from '../../context.ts';
import { checkRecipient } from '../../delivery/check-recipient.ts';
import type { Sent } from '../../delivery/send-by-route.ts';
import { sendMessage } from '../../delivery/send-message.ts';
import { newId } from '../../ids.ts';
import { prepareLink } from '../../links/shorten-link.ts';
import { Problem } from '../../problem.ts';
import { readBroadcastKey } from '../run/broadcast-key.ts';
import { type BroadcastRef, listSendRows, type StoredDraft } from './draft-store.ts';
import { listObstacles, readDraft } from './drafts.ts';
import type { Obstacle } from './obstacles.ts';
import { listOfferedChannels } from './offered-channels.ts';
import { sampleFacts } from './sample-facts.ts';

/** Enough to try a text, and too little to be sent as a broadcast. Of one company to one phone. */
const LIMITS = { gap: { seconds: 10, max: 1 }, hourMax: 10, dayMax: 30 };

/** A text that cannot be sent to anybody is not sent to its author either. */
const NOT_READY: readonly Obstacle[] = [
  'no_text',
  'no_channel',
  'no_template',
  'no_url',
  'unknown_variable',
  'text_too_long',
];

/**
 * Sends the message of the first row to the phone of the person who asks, with a short link of its
 * own. It is charged as any message. Its link to unsubscribe is a sample.
 */
export async function sendToMe(
  ctx: Context,
  { phone, requestId, ...ref }: BroadcastRef & { phone: string | null; requestId: string },
): Promise<Sent> {
  const stored = await readDraft(ctx, ref);
  const draft = { ...stored, channels: sampleChannels(ctx, stored) };
  if (draft.state !== 'draft') throw new Problem('broadcast_not_draft');
  if (phone === null) throw new Problem('phone_needed');
  const obstacles = await listObstacles(ctx, ref.companyId, draft);
  if (obstacles.some((obstacle) => NOT_READY.includes(obstacle))) {
    throw new Problem('broadcast_not_ready');
  }
  const key = await readBroadcastKey(ctx, ref.companyId);
  const to = checkRecipient(ctx, key, phone);
  const { channels, whatsappTemplate: template } = draft;
  const parsed = parseBroadcast({ ...draft, template, language: key.language });
  const hasLink = needsLink(parsed, channels) && draft.url !== null;
  const link = hasLink ? await prepareLink(ctx, draft.url as string, 'url') : null;
  const facts: RecipientFacts = {
    ...sampleFacts(ctx.urls, await readFirstCells(ctx, draft)),
    link: link?.shortUrl ?? null,
  };
  const textIn = (channel: Channel) => renderBroadcast(parsed, channel, facts);
  return await sendMessage(ctx, {
    // The route is that of the draft; the key itself has every channel.
    key: { ...key, channels },
    messageId: newId(ctx.clock.now().getTime()),
    requestId,
    kind: 'broadcast',
    content: 'broadcast',
    choice: 'auto',
    to,
    smsProblem: fitsSms(textIn('sms')) ? undefined : 'text_too_long',
    compose: (channel) => ({
      text: textIn(channel),
      link: link?.shortUrl,
      ...(channel === 'whatsapp' &&
        template !== null &&
        parsed.template !== null && {
          template: {
            name: template.name,
            language: template.language,
            variables: fillTemplate(parsed.template, facts).variables,
          },
        }),
    }),
    limits: LIMITS,
    body: textIn(channels[0] as Channel),
    code: null,
    link,
  });
}

/** The text is tried before the channels are chosen: then by any that carries it. */
function sampleChannels(
  ctx: Pick<Context, 'channels'>,
  { channels, whatsappTemplate }: StoredDraft,
): Channel[] {
  if (channels.length > 0) return channels;
  const hasTemplate = whatsappTemplate !== null;
  return listOfferedChannels(ctx).filter((channel) => hasTemplate || channel !== 'whatsapp');
}

/** Without recipients the columns are empty, and the defaults of the text show. */
async function readFirstCells(
  { db }: Pick<Context, 'db'>,
  { id, columns, rowsState }: StoredDraft,
): Promise<readonly string[]> {
  if (rowsState !== 'checked') return columns.map(() => '');
  const [first] = await listSendRows(db, id, { after: 0, limit: 1 });
  return first?.cells ?? columns.map(() => '');
}
