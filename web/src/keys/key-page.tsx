import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { Ban, FlaskConical, RefreshCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { oneOf, useFilters } from '../app/filters.ts';
import { queryOf } from '../queries.ts';
import { useRight } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';
import { Button } from '../ui/controls/button.tsx';
import { LinkButton } from '../ui/controls/link-button.tsx';
import { BackLink } from '../ui/display/back-link.tsx';
import { Code } from '../ui/display/code-block.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Tab, Tabs } from '../ui/display/tabs.tsx';
import { Time } from '../ui/display/time.tsx';
import type { ChannelFacts } from './channels/channel-order-field.tsx';
import { ExpiryNotice } from './key-expiry.tsx';
import { KeyUse } from './key-use.tsx';
import { KeyChips } from './list/key-table.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { PreviousSecret } from './secret/previous-secret.tsx';
import { RotateDialog } from './secret/rotate-dialog.tsx';
import { KeySettings } from './settings/key-settings.tsx';

const FILTERS = { tab: oneOf(['use']) };

export function KeyPage() {
  const texts = useTexts().keys;
  const { id } = useParams({ from: '/app/keys/$id' });
  const list = useQuery(queryOf('keys'));
  const row = list.data?.keys.find((key) => String(key.id) === id);
  if (list.data !== undefined && row !== undefined) {
    return <OneKey key={row.id} row={row} facts={list.data} />;
  }
  return (
    <Page title={texts.title} back={<BackToKeys />}>
      {list.error !== null && <ErrorCard error={list.error} onRetry={list.refetch} />}
      {list.isPending && <SkeletonCard lines={6} />}
      {list.data !== undefined && <EmptyState kind="no-match" title={texts.unknown} />}
    </Page>
  );
}

function BackToKeys() {
  return <BackLink to="/app/keys">{useTexts().keys.toList}</BackLink>;
}

function OneKey({ row, facts }: { row: Key; facts: ChannelFacts }) {
  const texts = useTexts().keys;
  const { tab } = useFilters(FILTERS).filters;
  return (
    <Page
      title={row.name}
      back={<BackToKeys />}
      lead={<KeyLine row={row} />}
      actions={<KeyActions row={row} />}
    >
      {row.revoked_at !== null && (
        <p className="rounded-card bg-bad-tint px-4 py-3 text-table text-bad">
          {texts.revokedAt} <Time at={row.revoked_at} as="timeToMinute" />
        </p>
      )}
      {row.previous_until !== null && row.state === 'rotating' && (
        <PreviousSecret row={row} until={row.previous_until} />
      )}
      <ExpiryNotice row={row} />
      <SpentOfCaps row={row} facts={facts} />
      <Tabs label={row.name}>
        <KeyTab row={row} isOpen={tab === undefined}>
          {texts.tabs.settings}
        </KeyTab>
        <KeyTab row={row} tab="use" isOpen={tab === 'use'}>
          {texts.tabs.use}
        </KeyTab>
      </Tabs>
      {tab === 'use' ? <KeyUse id={row.id} /> : <KeySettings row={row} facts={facts} />}
    </Page>
  );
}

/** How much of its caps a key has spent; nothing for a key without one. */
function SpentOfCaps({ row, facts }: { row: Key; facts: ChannelFacts }) {
  const texts = useTexts().keys;
  const format = useFormat();
  const cheapest = Math.min(...row.channels.map((channel) => facts.prices[channel]));
  const caps = [
    { period: 'day', cap: row.daily_cap, spent: row.spent_today },
    { period: 'month', cap: row.monthly_cap, spent: row.spent_this_month },
  ] as const;
  const lines = caps.map(({ period, cap, spent }) => {
    if (cap === null || spent === null) return null;
    const isReached = cap - spent < cheapest;
    return (
      <p
        key={period}
        className={classes(
          'rounded-card px-4 py-3 text-table',
          isReached ? 'bg-bad-tint text-bad' : 'bg-sunken text-muted',
        )}
      >
        {texts.spentOfCap[period](format.money(spent), format.money(cap))}{' '}
        {isReached && texts.capReached[period]}
      </p>
    );
  });
  return <div className="grid gap-3 empty:hidden sm:auto-cols-fr sm:grid-flow-col">{lines}</div>;
}

function KeyTab(props: { row: Key; tab?: 'use'; isOpen: boolean; children: ReactNode }) {
  const { row, tab, isOpen, children } = props;
  return (
    <Tab
      to="/app/keys/$id"
      params={{ id: String(row.id) }}
      search={{ tab }}
      activeOptions={{ exact: true, includeSearch: true }}
      aria-current={isOpen ? 'page' : undefined}
      replace
    >
      {children}
    </Tab>
  );
}

function KeyLine({ row }: { row: Key }) {
  const texts = useTexts().keys;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-table">
      <KeyChips row={row} />
      <Code>{row.shown}</Code>
      <span>
        {row.created_by === null ? texts.created : texts.createdBy(row.created_by)}{' '}
        <Time at={row.created_at} as="date" />
      </span>
    </span>
  );
}

function KeyActions({ row }: { row: Key }) {
  const texts = useTexts().keys;
  const canChange = useRight('keys.change');
  const canTry = useRight('playground.use');
  const [open, setOpen] = useState<'rotate' | 'revoke'>();
  const close = () => setOpen(undefined);
  if (row.state === 'revoked') return null;
  return (
    <>
      {canTry && (
        <LinkButton
          to="/app/playground"
          search={{ key_id: String(row.id) }}
          icon={<FlaskConical aria-hidden="true" size={16} />}
        >
          {texts.tryOut}
        </LinkButton>
      )}
      {canChange && (
        <>
          <Button
            icon={<RefreshCw aria-hidden="true" size={16} />}
            onClick={() => setOpen('rotate')}
          >
            {texts.rotate.open}
          </Button>
          <Button
            look="danger"
            icon={<Ban aria-hidden="true" size={16} />}
            onClick={() => setOpen('revoke')}
          >
            {texts.revoke.submit}
          </Button>
        </>
      )}
      {open === 'rotate' && <RotateDialog row={row} onClose={close} />}
      {open === 'revoke' && <RevokeDialog row={row} onClose={close} />}
    </>
  );
}
