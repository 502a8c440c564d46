import type { Answer } from '../call.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Card } from '../ui/display/card.tsx';
import { Time } from '../ui/display/time.tsx';
import { Destination } from './destination.tsx';

type Change = Answer<'link'>['changes'][number];

/** Who has changed where a link leads or until when, the newest first. */
export function LinkHistory({ changes }: { changes: readonly Change[] }) {
  const texts = useTexts().links;
  if (changes.length === 0) return null;
  return (
    <Card title={texts.history}>
      <ol className="grid gap-4">
        {changes.map((change) => (
          <li key={change.at} className="grid gap-1 text-table">
            <p>
              <span className="font-medium">{change.person ?? texts.byTerminal}</span>{' '}
              <span className="text-sm text-muted">
                <Time at={change.at} as="timeToMinute" />
              </span>
            </p>
            <OneChange change={change} />
          </li>
        ))}
      </ol>
    </Card>
  );
}

function OneChange({ change }: { change: Change }) {
  const texts = useTexts().links;
  const format = useFormat();
  const end = (at: string | null) => (at === null ? texts.expiries.never : format.timeToMinute(at));
  const hasOtherUrl = change.url_before !== change.url_after;
  const hasOtherEnd = change.expires_before !== change.expires_after;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
      {hasOtherUrl && (
        <>
          <dt className="text-muted">{texts.was}</dt>
          <dd>
            <Destination url={change.url_before} isWhole />
          </dd>
          <dt className="text-muted">{texts.became}</dt>
          <dd>
            <Destination url={change.url_after} isWhole />
          </dd>
        </>
      )}
      {hasOtherEnd && (
        <>
          <dt className="text-muted">{texts.expires}:</dt>
          <dd>
            {end(change.expires_before)} → {end(change.expires_after)}
          </dd>
        </>
      )}
    </dl>
  );
}
