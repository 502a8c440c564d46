import { useQueryClient } from '@tanstack/react-query';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { useEffect } from 'react';
import { useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useCountdown } from '../../ui/controls/countdown.ts';
import { Card } from '../../ui/display/card.tsx';
import { Code } from '../../ui/display/code-block.tsx';
import { ErrorCard } from '../../ui/display/error-card.tsx';
import { Time } from '../../ui/display/time.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { secondsUntil, timeLeft } from './time-left.ts';

/** During a rotation overlap: shows the new secret and the time left of the old one. */
export function PreviousSecret({ row, until }: { row: Key; until: string }) {
  const texts = useTexts().keys.rotate;
  const { showToast } = useToasts();
  const canEnd = useRight('keys.change');
  const end = useAction('endPreviousSecret', { invalidates: ['keys'] });
  const endNow = () =>
    end.mutate({ params: { id: row.id } }, { onSuccess: () => showToast(texts.ended) });
  return (
    <Card title={texts.bothWork}>
      <dl className="grid items-center gap-x-6 gap-y-2 text-table sm:grid-cols-[auto_1fr]">
        <dt className="text-muted">{texts.newOne}</dt>
        <dd>
          <Code>{row.shown}</Code>
        </dd>
        <dt className="text-muted">{texts.oldOne}</dt>
        <dd className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Countdown until={until} />
          <LastUse at={row.previous_used_at} />
          {canEnd && (
            <Button look="danger" isBusy={end.isPending} onClick={endNow}>
              {texts.endNow}
            </Button>
          )}
        </dd>
      </dl>
      {end.error !== null && <ErrorCard error={end.error} />}
    </Card>
  );
}

/** Shows whether some client still uses the old secret. */
function LastUse({ at }: { at: string | null }) {
  const texts = useTexts().keys.rotate;
  return (
    <span className={at === null ? 'text-ok' : ''}>
      {at === null ? texts.unused : texts.lastUsed}{' '}
      {at !== null && <Time at={at} as="timeToMinute" />}
    </span>
  );
}

function Countdown({ until }: { until: string }) {
  const texts = useTexts().keys;
  const client = useQueryClient();
  const [secondsLeft, start] = useCountdown(secondsUntil(until, Date.now()));
  useEffect(() => start(secondsUntil(until, Date.now())), [until, start]);
  useEffect(() => {
    if (secondsLeft === 0) void client.invalidateQueries({ queryKey: ['keys'] });
  }, [secondsLeft, client]);
  return (
    <span>
      <span role="timer" className="font-medium">
        {texts.rotate.left(timeLeft(secondsLeft, texts.units))}
      </span>{' '}
      <span className="text-muted">
        ({texts.rotate.until} <Time at={until} as="timeToMinute" />)
      </span>
    </span>
  );
}
