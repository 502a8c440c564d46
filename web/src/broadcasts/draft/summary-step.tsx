import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import type { Broadcast } from '@zhiber/contract/cabinet/broadcasts.ts';
import { CircleAlert, Hourglass, Send } from 'lucide-react';
import type { Answer } from '../../call.ts';
import { queryOf, useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { Card, Facts, Stat } from '../../ui/display/card.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { Time } from '../../ui/display/time.tsx';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { numberOf, stepOfObstacle } from './steps.ts';
import { filledBody } from './text-variables.ts';
import { type Draft, isConflict } from './use-draft.ts';

type Estimate = Answer<'estimate'>;

/** What it costs, what may go wrong, and the button. */
export function SummaryStep({ draft }: StepProps) {
  const { broadcast } = draft;
  const { data } = useQuery(queryOf('estimate', { params: { id: draft.id } }));
  return (
    <StepFrame step="summary" next={null}>
      <Obstacles broadcast={broadcast} />
      <Summary broadcast={broadcast} />
      {data !== undefined && data.recipients > 0 && <StartButton draft={draft} estimate={data} />}
    </StepFrame>
  );
}

/** The whole draft at one look, for its author and for the person who approves it. */
export function Summary({ broadcast }: { broadcast: Broadcast }) {
  const {
    data: estimate,
    error,
    refetch,
  } = useQuery(queryOf('estimate', { params: { id: broadcast.id } }));
  if (error !== null && estimate === undefined) return <Failure error={error} onRetry={refetch} />;
  if (estimate === undefined) return <SkeletonCard lines={6} />;
  return (
    <>
      {estimate.recipients > 0 && (
        <>
          <Cost estimate={estimate} />
          <Money estimate={estimate} />
        </>
      )}
      <SummaryFacts broadcast={broadcast} estimate={estimate} />
    </>
  );
}

function Obstacles({ broadcast }: { broadcast: Broadcast }) {
  const texts = useBroadcastTexts();
  if (broadcast.obstacles.length === 0) return null;
  return (
    <div className="rounded-card bg-warn-tint p-4 text-table text-warn">
      <p className="flex gap-2 font-medium">
        <CircleAlert aria-hidden="true" size={18} className="mt-0.5 shrink-0" />
        {texts.obstaclesTitle}
      </p>
      <ul className="mt-1 ms-6 list-disc ps-1">
        {broadcast.obstacles.map((obstacle) => {
          const step = stepOfObstacle(obstacle, broadcast);
          return (
            <li key={obstacle} className="py-0.5">
              {texts.obstacles[obstacle]}{' '}
              <Link to="." search={{ step: numberOf(step) }} className="underline">
                {texts.toStep(texts.steps[step])}
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Cost({ estimate }: { estimate: Estimate }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const { shares } = estimate;
  const byPrice = shares.toSorted((one, other) => one.price - other.price);
  const allBy = (place: number) => {
    const share = byPrice.at(place);
    return share && texts.allBy(CHANNEL_TITLES[share.channel], format.money(share.price));
  };
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Stat label={texts.least} value={format.money(estimate.least)} note={allBy(0)} />
      <Stat
        label={texts.expected}
        value={format.money(estimate.expected)}
        note={estimate.has_history ? texts.byHistory : texts.withoutHistory}
      />
      <Stat label={texts.most} value={format.money(estimate.most)} note={allBy(-1)} />
    </div>
  );
}

/** What stays on the balance, and that a broadcast without money waits. */
function Money({ estimate }: { estimate: Estimate }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const canTopUp = useRight('balance.topup');
  const { balance, expected, most } = estimate;
  const isShort = balance < most;
  return (
    <div
      className={classes(
        'flex flex-wrap items-center justify-between gap-3 rounded-card px-4 py-3 text-table',
        isShort ? 'bg-warn-tint text-warn' : 'bg-sunken',
      )}
    >
      <div className="min-w-0 grow basis-64">
        <p>
          {texts.balance(format.money(balance))}{' '}
          {balance >= expected
            ? texts.balanceAfter(format.money(balance - expected))
            : texts.balanceShort(format.money(expected - balance))}
        </p>
        <p className={isShort ? undefined : 'text-muted'}>{texts.moneyEnds}</p>
      </div>
      {isShort && canTopUp && <LinkButton to="/app/balance/topup">{texts.topUp}</LinkButton>}
    </div>
  );
}

function SummaryFacts({ broadcast, estimate }: { broadcast: Broadcast; estimate: Estimate }) {
  const texts = useBroadcastTexts();
  const { ui } = useTexts();
  const format = useFormat();
  const { spread_minutes: spread, quiet_from: from, quiet_to: to } = broadcast;
  const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
  return (
    <Card>
      <Facts
        rows={[
          [texts.recipientsTitle, format.number(estimate.recipients)],
          [
            texts.channels,
            broadcast.channels.map((channel) => CHANNEL_TITLES[channel]).join(' → ') || '—',
          ],
          [
            texts.starts,
            <span key="starts">
              <Time at={estimate.starts_at} as="timeToMinute" /> · {ui.almaty}
            </span>,
          ],
          [texts.spread, spread === null ? texts.spreadNone : texts.spreadHours(spread / 60)],
          [
            texts.quietHours,
            [
              from === to ? texts.noQuietHours : `${clock(from)}–${clock(to)}`,
              ...(broadcast.skips_days_off ? [texts.skipsDaysOff] : []),
            ].join(' · '),
          ],
          [
            texts.consentBasis,
            broadcast.consent_basis === null
              ? '—'
              : [texts.consentBases[broadcast.consent_basis], broadcast.consent_note]
                  .filter((part) => part !== null)
                  .join(' · '),
          ],
          [
            texts.text,
            <span key="text" className="whitespace-pre-line">
              {broadcast.text || '—'}
            </span>,
          ],
          ...(broadcast.whatsapp_template !== null && broadcast.channels.includes('whatsapp')
            ? [[texts.whatsappTemplate, filledBody(broadcast.whatsapp_template)] as const]
            : []),
          ...(broadcast.url !== null
            ? [
                [
                  texts.url,
                  <span key="url" className="wrap-anywhere">
                    {broadcast.url}
                  </span>,
                ] as const,
              ]
            : []),
        ]}
      />
    </Card>
  );
}

/** The number on the button is part of the request: when it no longer fits, nothing is sent. */
function StartButton({ draft, estimate }: { draft: Draft; estimate: Estimate }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const navigate = useNavigate();
  const { broadcast } = draft;
  const start = useAction('startBroadcast', {
    invalidates: ['broadcast', 'broadcasts', 'session', 'estimate'],
  });
  const { recipients, needs_approval: needsApproval } = estimate;
  const hasChanged = isConflict(start.error);
  return (
    <div className="grid gap-3">
      {needsApproval && (
        <p className="flex gap-2 rounded-control bg-info-tint px-3 py-2 text-table text-info">
          <Hourglass aria-hidden="true" size={18} className="mt-0.5 shrink-0" />
          {texts.needsApproval}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="primary"
          icon={<Send aria-hidden="true" size={16} />}
          className="max-sm:w-full"
          disabled={broadcast.obstacles.length > 0 || recipients === 0 || draft.isSaving}
          isBusy={start.isPending}
          onClick={() =>
            start.mutate(
              { params: { id: draft.id }, body: { recipients, version: broadcast.version } },
              { onSuccess: () => void navigate({ to: '.', search: {}, replace: true }) },
            )
          }
        >
          {needsApproval
            ? texts.askApproval(recipients, format.number)
            : broadcast.start_at === null
              ? texts.send(recipients, format.number)
              : texts.schedule(recipients, format.number)}
        </Button>
        {hasChanged ? (
          <>
            <p role="alert" className="text-sm text-bad">
              {texts.changedBeforeStart}
            </p>
            <Button
              onClick={() => {
                start.reset();
                void draft.reload();
              }}
            >
              {texts.conflictReload}
            </Button>
          </>
        ) : (
          <Refusal error={start.error} />
        )}
      </div>
    </div>
  );
}
