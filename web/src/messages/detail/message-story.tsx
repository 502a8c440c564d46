import { Link } from '@tanstack/react-router';
import { shortMessageId } from '@zhiber/contract/cabinet/message-id.ts';
import type { MessageDetail } from '@zhiber/contract/cabinet/messages.ts';
import type { ReactNode } from 'react';
import { useRight, useSession } from '../../session.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { Facts } from '../../ui/display/card.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { Code } from '../../ui/display/code-block.tsx';
import { ModeChip, StatusChip } from '../../ui/display/status-chip.tsx';
import { Time } from '../../ui/display/time.tsx';
import { isUnsettledState } from '../unsettled.ts';
import { Advice } from './advice.tsx';
import { isWholePhone, toCurl } from './as-request.ts';
import { CopyForClient } from './copy-for-client.tsx';
import { Timeline } from './timeline.tsx';

/** The details of a message: status, advice, timeline, text, facts and actions. */
export function MessageStory({ message }: { message: MessageDetail }) {
  return (
    <div className="grid gap-6">
      <Head message={message} />
      <Advice message={message} />
      <Timeline message={message} />
      <CopyForClient message={message} />
      {message.body !== null && <Body text={message.body} />}
      <Details message={message} />
      <Actions message={message} />
    </div>
  );
}

function Head({ message }: { message: MessageDetail }) {
  const texts = useTexts().messages;
  const format = useFormat();
  const { state, channel, cost, mode } = message;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <StatusChip state={state} />
      {channel !== null && <ChannelLabel channel={channel} />}
      {isUnsettledState(state) ? (
        <span className="text-muted">{texts.notSettled}</span>
      ) : (
        <strong>{format.money(cost)}</strong>
      )}
      <ModeChip mode={mode} />
    </p>
  );
}

function Body({ text }: { text: string }) {
  const texts = useTexts().messages;
  return (
    <section className="grid gap-2">
      <h3 className="text-base">{texts.bodyTitle}</h3>
      <blockquote className="rounded-card bg-sunken px-4 py-3 text-table whitespace-pre-wrap">
        {text}
      </blockquote>
    </section>
  );
}

function Details({ message }: { message: MessageDetail }) {
  const texts = useTexts().messages;
  const format = useFormat();
  const { kinds, columns } = texts;
  const isWithLink = message.kind === 'otp' && message.has_link;
  const rows: [string, ReactNode][] = [
    [columns.at, <Time key="at" at={message.at} />],
    [columns.kind, isWithLink ? kinds.otp_with_link : kinds[message.kind]],
    [columns.purpose, message.purpose ?? '—'],
    [columns.key, message.key.name],
  ];
  if (message.country !== null) rows.push([texts.country, message.country]);
  if (message.short_url !== null) {
    rows.push([texts.shortUrl, <Copyable key="url" text={message.short_url} />]);
    rows.push([texts.clicks, format.number(message.clicks)]);
  }
  rows.push([texts.messageId, <Copyable key="id" text={shortMessageId(message.id)} />]);
  rows.push(
    message.broadcast === null
      ? [texts.requestId, <Copyable key="request" text={message.request_id} />]
      : [texts.broadcast, <BroadcastLink key="broadcast" broadcast={message.broadcast} />],
  );
  return (
    <section className="grid gap-3">
      <h3 className="text-base">{texts.detailsTitle}</h3>
      <Facts rows={rows} />
    </section>
  );
}

function BroadcastLink({ broadcast }: { broadcast: NonNullable<MessageDetail['broadcast']> }) {
  const { id, name } = broadcast;
  if (!useRight('broadcasts.see')) return name;
  return (
    <Link to="/app/broadcasts/$id" params={{ id }} className="link">
      {name}
    </Link>
  );
}

function Copyable({ text }: { text: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <Code>{text}</Code>
      <CopyButton isIcon text={text} />
    </span>
  );
}

function Actions({ message }: { message: MessageDetail }) {
  const texts = useTexts().messages;
  const { base_url: apiUrl } = useSession();
  const curl = toCurl(message, apiUrl);
  const canSeeRequests = useRight('requests.see') && curl !== undefined;
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-hairline pt-4">
      {curl !== undefined && <CopyButton text={curl} label={texts.copyCurl} />}
      {canSeeRequests && (
        <LinkButton to="/app/requests" search={{ request: message.request_id }}>
          {texts.openRequest}
        </LinkButton>
      )}
      {isWholePhone(message.phone) && (
        <Link
          to="/app/messages"
          search={{ search: message.phone }}
          className="link target inline-flex items-center px-1 text-table"
        >
          {texts.samePhone}
        </Link>
      )}
    </div>
  );
}
