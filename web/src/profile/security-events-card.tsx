import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Answer } from '../call.ts';
import { queryOf } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Card } from '../ui/display/card.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Skeleton } from '../ui/display/skeleton.tsx';
import { Time } from '../ui/display/time.tsx';

type SecurityEvent = Answer<'securityEvents'>['events'][number];

/** As many as are looked at; the rest is one press away. */
const SHOWN_FIRST = 8;

/** What happened to the sign-in of this person, the newest first. */
export function SecurityEventsCard() {
  const texts = useTexts().profile;
  const { data, error, refetch } = useQuery(queryOf('securityEvents'));
  const [isWhole, setWhole] = useState(false);
  const events = data?.events ?? [];
  const shown = isWhole ? events : events.slice(0, SHOWN_FIRST);
  return (
    <Card title={texts.events}>
      <div className="grid justify-items-start gap-3">
        <p className="text-table text-muted">{texts.eventsNote}</p>
        {error !== null && <ErrorCard error={error} onRetry={refetch} />}
        {error === null && data === undefined && <Skeleton className="w-2/3" />}
        {data !== undefined && events.length === 0 && <p>{texts.noEvents}</p>}
        <ol className="grid w-full divide-y divide-hairline">
          {shown.map((event) => (
            <EventRow key={`${event.at} ${event.kind}`} event={event} />
          ))}
        </ol>
        {shown.length < events.length && (
          <Button look="quiet" onClick={() => setWhole(true)}>
            {texts.allEvents(events.length)}
          </Button>
        )}
      </div>
    </Card>
  );
}

function EventRow({ event }: { event: SecurityEvent }) {
  const texts = useTexts().profile;
  const { at, kind, detail, device, address } = event;
  const origin = [device, address].filter((part) => part !== null && part !== '');
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2.5 first:pt-0 last:pb-0">
      <div className="grid min-w-0">
        <span className="wrap-anywhere">
          {texts.eventKinds[kind]}
          {detail !== null && <span className="text-muted"> · {detail}</span>}
        </span>
        {origin.length > 0 && <span className="text-sm text-muted">{origin.join(' · ')}</span>}
      </div>
      <span className="text-sm text-muted">
        <Time at={at} as="timeToMinute" />
      </span>
    </li>
  );
}
