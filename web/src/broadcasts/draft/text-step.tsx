import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BROADCAST_TEXT_LENGTH_MAX } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Broadcast } from '@zhiber/contract/cabinet/broadcasts.ts';
import { Braces, Link2, Smartphone } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { queryOf, useAction } from '../../queries.ts';
import { useSession } from '../../session.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { TextAreaField, TextField } from '../../ui/controls/text-field.tsx';
import { withScheme } from '../../ui/controls/with-scheme.ts';
import { Card } from '../../ui/display/card.tsx';
import { ChannelLabel } from '../../ui/display/channel.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { Menu, MenuButton } from '../../ui/overlays/menu.tsx';
import { Preview } from './preview.tsx';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { TemplateButtons } from './templates.tsx';
import { TextFindings } from './text-findings.tsx';
import { hasLink, insertAt, needsLink, variableOf } from './text-variables.ts';
import { useAutosave } from './use-autosave.ts';
import type { Draft } from './use-draft.ts';
import { WhatsappTemplateCard } from './whatsapp-template.tsx';

/** The text with its variables, beside what people will read. */
export function TextStep({ draft }: StepProps) {
  const { broadcast } = draft;
  const { data: check } = useQuery({
    ...queryOf('checkText', { params: { id: draft.id } }),
    enabled: broadcast.rows.verdicts !== null,
  });
  return (
    <StepFrame step="text">
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <TextCard draft={draft}>{check && <TextFindings check={check} />}</TextCard>
          <WhatsappTemplateCard draft={draft} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
          <Preview broadcast={broadcast} samples={check?.samples ?? []} />
          <SendToMe draft={draft} />
        </div>
      </div>
    </StepFrame>
  );
}

function TextCard({ draft, children }: { draft: Draft; children: React.ReactNode }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const { broadcast } = draft;
  const area = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(broadcast.text);
  const saveText = useAutosave(text, (value) => draft.save({ text: value }));
  const [url, setUrl] = useState(broadcast.url ?? '');
  const saveUrl = useAutosave(
    completeUrl(url),
    (value) => draft.save({ url: value === '' ? null : value }),
    isWholeUrl,
  );
  const isLinkUsed = hasLink(text) || needsLink(broadcast.whatsapp_template);
  const insert = (part: string) => {
    const field = area.current;
    if (field === null) return;
    const { selectionStart: start, selectionEnd: end } = field;
    const next = insertAt(text, part, { start, end });
    flushSync(() => setText(next.text.slice(0, BROADCAST_TEXT_LENGTH_MAX)));
    field.focus();
    field.setSelectionRange(next.cursor, next.cursor);
  };
  // Saved as if it were typed.
  const takeTemplate = (template: { text: string; url: string | null }) => {
    setText(template.text);
    setUrl(template.url ?? '');
  };
  return (
    <Card>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="flex flex-wrap gap-2">
          <VariableMenu columns={broadcast.rows.columns} onChoose={insert} />
          <Button
            icon={<Link2 aria-hidden="true" size={16} />}
            onClick={() => insert(':link')}
            title={texts.insertLinkHint}
          >
            {texts.insertLink}
          </Button>
          <TemplateButtons text={text} url={url === '' ? null : url} onTake={takeTemplate} />
        </div>
        <TextAreaField
          ref={area}
          name="text"
          label={texts.text}
          hint={texts.textHint(
            format.number(text.length),
            format.number(BROADCAST_TEXT_LENGTH_MAX),
          )}
          rows={8}
          maxLength={BROADCAST_TEXT_LENGTH_MAX}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onBlur={saveText}
        />
        {(isLinkUsed || url !== '') && (
          <UrlField draft={draft} url={url} onType={setUrl} onLeave={saveUrl} isUsed={isLinkUsed} />
        )}
        {children}
      </div>
    </Card>
  );
}

const completeUrl = (url: string) => (url.trim() === '' ? '' : withScheme(url.trim()));

/** Half an address is none: what is typed so far would be refused. */
function isWholeUrl(url: string): boolean {
  return url === '' || (URL.canParse(url) && new URL(url).hostname.includes('.'));
}

function UrlField(props: {
  draft: Draft;
  url: string;
  onType: (url: string) => void;
  onLeave: () => void;
  isUsed: boolean;
}) {
  const { draft, url, onType, onLeave, isUsed } = props;
  const texts = useBroadcastTexts();
  return (
    <TextField
      name="url"
      label={texts.url}
      hint={hintOf(texts, draft.broadcast, isUsed)}
      inputMode="url"
      placeholder="https://"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={url}
      onChange={(event) => onType(event.currentTarget.value)}
      onBlur={() => {
        onType(completeUrl(url));
        onLeave();
      }}
    />
  );
}

function hintOf(
  texts: ReturnType<typeof useBroadcastTexts>,
  { whatsapp_template: template }: Broadcast,
  isUsed: boolean,
): string {
  if (!isUsed) return texts.urlUnused;
  return template?.has_link ? texts.urlOfButton : texts.urlHint;
}

function VariableMenu(props: { columns: readonly string[]; onChoose: (variable: string) => void }) {
  const { columns, onChoose } = props;
  const texts = useBroadcastTexts();
  if (columns.length === 0) return null;
  return (
    <Menu
      align="start"
      button={
        <>
          <Braces aria-hidden="true" size={16} />
          {texts.insertVariable}
        </>
      }
      buttonClassName={buttonClass('plain')}
    >
      {columns.map((column) => (
        <MenuButton key={column} onClick={() => onChoose(variableOf(column))}>
          {column}
        </MenuButton>
      ))}
    </Menu>
  );
}

/** A real message to the person who writes it, before anybody else gets one. */
function SendToMe({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const { phone } = useSession().person;
  const send = useAction('sendToMe', { invalidates: ['messages', 'session'] });
  if (phone === null) {
    return (
      <Link to="/app/profile" className="link text-sm">
        {texts.noPhoneOfMine}
      </Link>
    );
  }
  return (
    <div className="grid justify-items-center gap-2">
      <Button
        icon={<Smartphone aria-hidden="true" size={16} />}
        isBusy={send.isPending}
        disabled={draft.isSaving || !isSendable(draft.broadcast)}
        onClick={() => send.mutate({ params: { id: draft.id } })}
      >
        {texts.sendToMe}
      </Button>
      {send.data === undefined && (
        <p className="text-center text-sm text-muted">{texts.sendToMeHint(format.phone(phone))}</p>
      )}
      <Refusal error={send.error} />
      {send.data !== undefined && (
        <p role="status" className="text-center text-sm">
          <ChannelLabel channel={send.data.channel} />:{' '}
          {texts.sentToMe(format.phone(phone), format.money(send.data.cost))}{' '}
          <LinkButton look="quiet" to="/app/messages/$id" params={{ id: send.data.message_id }}>
            {texts.openMessage}
          </LinkButton>
        </p>
      )}
    </div>
  );
}

/** WhatsApp alone needs no text: it has its template. */
function isSendable({ obstacles, rows }: Broadcast): boolean {
  return !obstacles.includes('no_text') && (rows.verdicts?.send ?? 0) > 0;
}
