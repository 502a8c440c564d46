import { useQuery } from '@tanstack/react-query';
import { Monitor, Smartphone } from 'lucide-react';
import type { Answer } from '../call.ts';
import { queryOf, useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Card } from '../ui/display/card.tsx';
import { Chip } from '../ui/display/chip.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { Skeleton } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';

type SignedIn = Answer<'sessions'>['sessions'][number];

const ENDED_QUERIES = ['sessions', 'securityEvents'] as const;

const MOBILE = /iPhone|iPad|Android/;

export function SessionsCard() {
  const texts = useTexts().profile;
  const { data, error, refetch } = useQuery(queryOf('sessions'));
  const sessions = data?.sessions;
  const hasOthers = sessions?.some(({ is_this: isThis }) => !isThis) ?? false;
  return (
    <Card title={texts.sessions} aside={hasOthers && <EndOthers />}>
      {error !== null && <ErrorCard error={error} onRetry={refetch} />}
      {error === null && sessions === undefined && <Skeleton className="w-2/3" />}
      <ul className="grid divide-y divide-hairline">
        {sessions?.map((session) => (
          <SessionRow key={session.id} session={session} />
        ))}
      </ul>
    </Card>
  );
}

function SessionRow({ session }: { session: SignedIn }) {
  const texts = useTexts().profile;
  const Icon = MOBILE.test(session.device) ? Smartphone : Monitor;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden="true" size={20} className="shrink-0 text-muted" />
      <div className="grid min-w-0 grow basis-48">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {session.device}
          {session.is_this && <Chip tone="ok">{texts.thisOne}</Chip>}
        </span>
        <span className="text-sm text-muted">
          {session.address !== null && `${session.address} · `}
          {texts.signedInAt} <Time at={session.created_at} as="timeToMinute" />
          {!session.is_this && (
            <>
              {' · '}
              {texts.seenAt} <Time at={session.seen_at} as="relative" />
            </>
          )}
        </span>
      </div>
      {!session.is_this && <EndOne session={session} />}
    </li>
  );
}

function EndOne({ session }: { session: SignedIn }) {
  const texts = useTexts().profile;
  const { showToast } = useToasts();
  const end = useAction('endSession', { invalidates: ENDED_QUERIES });
  return (
    <>
      <Button
        aria-label={`${texts.end}: ${session.device}`}
        isBusy={end.isPending}
        onClick={() =>
          end.mutate({ params: { id: session.id } }, { onSuccess: () => showToast(texts.ended) })
        }
      >
        {texts.end}
      </Button>
      <Refusal error={end.error} />
    </>
  );
}

function EndOthers() {
  const texts = useTexts().profile;
  const { showToast } = useToasts();
  const end = useAction('endOtherSessions', { invalidates: ENDED_QUERIES });
  return (
    <>
      <Button
        isBusy={end.isPending}
        onClick={() => end.mutate({}, { onSuccess: () => showToast(texts.othersEnded) })}
      >
        {texts.endOthers}
      </Button>
      <Refusal error={end.error} />
    </>
  );
}
