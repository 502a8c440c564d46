import { useQuery } from '@tanstack/react-query';
import type { GroupChannel } from '@zhiber/contract/api/channel.ts';
import type { Group } from '@zhiber/contract/cabinet/links.ts';
import { ExternalLink } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Answer } from '../call.ts';
import { queryOf, useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { AnchorButton } from '../ui/controls/anchor-button.tsx';
import { Button } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { useCountdown } from '../ui/controls/countdown.ts';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { Code } from '../ui/display/code-block.tsx';
import { Qr } from '../ui/display/qr.tsx';

const POLL_MS = 3_000;

type Invitation = Answer<'groupInvitation'>;

type InvitationProps = {
  channel: GroupChannel;
  known: Group[];
  onLinked: (name: string) => void;
};

/** Explains how to link a group from within, then polls until it appears. */
export function GroupInvitation(props: InvitationProps) {
  const { channel } = props;
  const texts = useTexts().groups;
  const invite = useAction('groupInvitation');
  const request = () => invite.mutate({ body: { channel } });
  if (invite.data !== undefined) {
    return <Waiting {...props} key={invite.data.word} invitation={invite.data} onAgain={request} />;
  }
  return (
    <Form error={invite.error} onSubmit={request}>
      <p className="text-table">{texts.leads[channel]}</p>
      <FormActions>
        <Button type="submit" look="primary" isBusy={invite.isPending}>
          {texts.getInvitation}
        </Button>
      </FormActions>
    </Form>
  );
}

function Waiting(props: InvitationProps & { invitation: Invitation; onAgain: () => void }) {
  const { channel, invitation, onAgain } = props;
  const texts = useTexts().groups;
  const [secondsLeft] = useCountdown(secondsUntil(invitation.ends_at));
  useNewGroup(props.known, props.onLinked);
  if (secondsLeft === 0) {
    return (
      <div className="grid justify-items-start gap-3">
        <p role="status">{texts.invitationEnded}</p>
        <Button look="primary" onClick={onAgain}>
          {texts.getInvitation}
        </Button>
      </div>
    );
  }
  return (
    <div className="grid gap-5">
      {invitation.link !== null && <ByLink link={invitation.link} />}
      {channel === 'whatsapp' && <AddNumber number={invitation.account} />}
      <ByWord invitation={invitation} title={texts.byWord[channel]} />
      <div className="flex flex-wrap items-center justify-between gap-2 border-t border-hairline pt-4 text-sm text-muted">
        <p role="status" className="flex items-center gap-2">
          <span aria-hidden="true" className="size-2 animate-pulse rounded-full bg-brand" />
          {texts.waiting}
        </p>
        <p role="timer" aria-live="off">
          {texts.endsIn(formatCountdown(secondsLeft))}
        </p>
      </div>
    </div>
  );
}

function ByLink({ link }: { link: string }) {
  const texts = useTexts().groups;
  return (
    <section className="flex flex-wrap items-center gap-4">
      <Qr text={link} label={texts.qrOfLink} size={128} />
      <div className="grid min-w-0 grow basis-52 justify-items-start gap-2">
        <h3 className="text-table">{texts.byLink}</h3>
        <p className="text-sm text-muted">{texts.byLinkNote}</p>
        <div className="flex flex-wrap gap-2">
          <AnchorButton
            look="primary"
            href={link}
            target="_blank"
            rel="noreferrer"
            icon={<ExternalLink aria-hidden="true" size={16} />}
          >
            {texts.openTelegram}
          </AnchorButton>
          <CopyButton text={link} />
        </div>
      </div>
    </section>
  );
}

function AddNumber({ number }: { number: string | null }) {
  const texts = useTexts().groups;
  return (
    <section className="grid justify-items-start gap-2">
      <h3 className="text-table">{texts.addNumber}</h3>
      {number === null ? (
        <p className="text-sm text-muted">{texts.numberUnknown}</p>
      ) : (
        <p className="flex min-w-0 items-center gap-1">
          <Code>{number}</Code>
          <CopyButton isIcon text={number} label={texts.copyNumber} />
        </p>
      )}
    </section>
  );
}

function ByWord({ invitation, title }: { invitation: Invitation; title: string }) {
  const texts = useTexts().groups;
  return (
    <section className="grid justify-items-start gap-2">
      <h3 className="text-table">{title}</h3>
      <p className="text-sm text-muted">{texts.byWordNote}</p>
      <p className="flex min-w-0 items-center gap-1">
        <Code>{invitation.word}</Code>
        <CopyButton isIcon text={invitation.word} label={texts.copyWord} />
      </p>
    </section>
  );
}

/** Polls the groups until a new one appears. */
function useNewGroup(known: Group[], onLinked: (name: string) => void): void {
  const [before] = useState(() => new Set(known.map(({ id }) => id)));
  const { data } = useQuery({ ...queryOf('groups'), refetchInterval: POLL_MS });
  const linked = data?.groups.find(({ id }) => !before.has(id));
  const notifyLinked = useEffectEvent(onLinked);
  useEffect(() => {
    if (linked !== undefined) notifyLinked(linked.name);
  }, [linked]);
}

function secondsUntil(at: string): number {
  return Math.max(0, Math.round((Date.parse(at) - Date.now()) / 1_000));
}

function formatCountdown(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
