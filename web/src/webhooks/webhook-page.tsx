import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Webhook } from '@zhiber/contract/cabinet/webhooks.ts';
import { ChevronDown, Eye, KeyRound, RefreshCw, Send } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { oneOf, useFilters } from '../app/filters.ts';
import { CallError } from '../call-error.ts';
import { queryOf, useAction } from '../queries.ts';
import { useRight } from '../session.ts';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { Button, buttonClass } from '../ui/controls/button.tsx';
import { BackLink } from '../ui/display/back-link.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { SkeletonCard } from '../ui/display/skeleton.tsx';
import { Tab, Tabs } from '../ui/display/tabs.tsx';
import { Menu, MenuButton } from '../ui/overlays/menu.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { Deliveries } from './deliveries.tsx';
import { EventCatalogue } from './event-catalogue.tsx';
import { RotateSecretDialog, SecretDialog } from './secret-dialog.tsx';
import { WebhookNotices } from './webhook-notices.tsx';
import { WebhookSettingsForm } from './webhook-settings.tsx';
import { WebhookStateChip } from './webhook-state.tsx';

const TABS = ['settings', 'catalogue'] as const;
const FILTERS = { tab: oneOf(TABS) };
/** What the state of an endpoint depends on changes while somebody looks at it. */
const REFRESH_MS = 15_000;

export function WebhookPage() {
  const texts = useWebhookTexts();
  const { id } = useParams({ from: '/app/webhooks/$id' });
  const { data, error, refetch } = useQuery({
    ...queryOf('webhook', { params: { id } }),
    refetchInterval: REFRESH_MS,
  });
  if (data !== undefined && String(data.id) === id) return <OneWebhook row={data} />;
  const isUnknown = error instanceof CallError && error.status === 404;
  return (
    <Page title={texts.title} back={<BackToWebhooks />}>
      {error !== null && !isUnknown && <ErrorCard error={error} onRetry={refetch} />}
      {error === null && <SkeletonCard lines={6} />}
      {isUnknown && <EmptyState kind="no-match" title={texts.unknown} />}
    </Page>
  );
}

function BackToWebhooks() {
  return <BackLink to="/app/webhooks">{useWebhookTexts().toList}</BackLink>;
}

function OneWebhook({ row }: { row: Webhook }) {
  const texts = useWebhookTexts();
  const { tab } = useFilters(FILTERS).filters;
  return (
    <Page
      title={row.url}
      back={<BackToWebhooks />}
      lead={<Lead row={row} />}
      actions={<Actions row={row} />}
    >
      <WebhookNotices row={row} />
      <Tabs label={row.url}>
        <PageTab row={row} isOpen={tab === undefined}>
          {texts.tabs.events}
        </PageTab>
        {TABS.map((name) => (
          <PageTab key={name} row={row} tab={name} isOpen={tab === name}>
            {texts.tabs[name]}
          </PageTab>
        ))}
      </Tabs>
      {tab === undefined && <Deliveries row={row} />}
      {tab === 'settings' && <WebhookSettingsForm row={row} />}
      {tab === 'catalogue' && <EventCatalogue />}
    </Page>
  );
}

function PageTab(props: {
  row: Webhook;
  tab?: (typeof TABS)[number];
  isOpen: boolean;
  children: ReactNode;
}) {
  const { row, tab, isOpen, children } = props;
  return (
    <Tab
      to="/app/webhooks/$id"
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

function Lead({ row }: { row: Webhook }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-table">
      <WebhookStateChip state={row.state} />
      {row.description}
    </span>
  );
}

function Actions({ row }: { row: Webhook }) {
  const texts = useWebhookTexts();
  const { showToast } = useToasts();
  const canChange = useRight('webhooks.change');
  const [open, setOpen] = useState<'secret' | 'rotate'>();
  const test = useAction('testWebhook', {
    invalidates: ['webhookDeliveries', 'webhook', 'webhookFigures'],
  });
  const close = () => setOpen(undefined);
  if (!canChange) return null;
  const sendTest = () =>
    test.mutate(
      { params: { id: row.id } },
      {
        onSuccess: () => showToast(texts.testSent),
        onError: (error) => showToast(error instanceof CallError ? error.message : String(error)),
      },
    );
  return (
    <>
      <Button
        icon={<Send aria-hidden="true" size={16} />}
        isBusy={test.isPending}
        onClick={sendTest}
      >
        {texts.test}
      </Button>
      <Menu
        button={
          <>
            <KeyRound aria-hidden="true" size={16} />
            {texts.secret}
            <ChevronDown aria-hidden="true" size={14} />
          </>
        }
        buttonClassName={buttonClass('plain')}
      >
        <MenuButton
          icon={<Eye aria-hidden="true" size={16} className="shrink-0" />}
          onClick={() => setOpen('secret')}
        >
          {texts.showSecret}
        </MenuButton>
        <MenuButton
          icon={<RefreshCw aria-hidden="true" size={16} className="shrink-0" />}
          onClick={() => setOpen('rotate')}
        >
          {texts.rotate}
        </MenuButton>
      </Menu>
      {open === 'secret' && <SecretDialog id={row.id} onClose={close} />}
      {open === 'rotate' && <RotateSecretDialog id={row.id} onClose={close} />}
    </>
  );
}
