import { useQuery } from '@tanstack/react-query';
import { EVENT_TYPES, type EventType } from '@zhiber/contract/api/events.ts';
import type { Webhook } from '@zhiber/contract/cabinet/webhooks.ts';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { queryOf, useAction } from '../queries.ts';
import { useRight } from '../session.ts';
import { useFormat } from '../texts/use-texts.tsx';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { Button } from '../ui/controls/button.tsx';
import { Card } from '../ui/display/card.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { Page } from '../ui/display/page.tsx';
import { ActDialog } from '../ui/overlays/act-dialog.tsx';
import { useShortcut } from '../ui/overlays/shortcuts.tsx';
import { type Column, DataTable } from '../ui/table/data-table.tsx';
import { ShownSecret } from './secret-dialog.tsx';
import { WebhookCheck } from './webhook-check.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import { BetaChip, TryErrorText, WebhookStateChip } from './webhook-state.tsx';

export function WebhooksPage() {
  const texts = useWebhookTexts();
  const list = useQuery(queryOf('webhooks'));
  const canCreate = useRight('webhooks.change');
  const [isCreating, setCreating] = useState(false);
  const create = () => canCreate && setCreating(true);
  useShortcut('n', texts.create, create);
  const button = canCreate ? (
    <Button look="primary" icon={<Plus aria-hidden="true" size={16} />} onClick={create}>
      {texts.create}
    </Button>
  ) : undefined;
  const rows = list.data?.webhooks;
  const isEmpty = rows?.length === 0;
  return (
    <Page title={texts.title} lead={<PageLead />} actions={isEmpty === false ? button : undefined}>
      {list.error !== null ? (
        <ErrorCard error={list.error} onRetry={list.refetch} />
      ) : (
        <DataTable
          caption={texts.title}
          columns={useColumns()}
          rows={rows}
          rowKey={({ id }) => id}
          rowLink={({ id }) => ({ to: '/app/webhooks/$id', params: { id: String(id) } })}
          empty={<NoWebhooks action={button} />}
        />
      )}
      {isCreating && list.data !== undefined && (
        <NewWebhookDialog isSandbox={list.data.is_sandbox} onClose={() => setCreating(false)} />
      )}
    </Page>
  );
}

function PageLead() {
  const texts = useWebhookTexts();
  return (
    <>
      {texts.lead}{' '}
      <a href="/docs/webhooks" className="link">
        {texts.docs}
      </a>{' '}
      <BetaChip />
    </>
  );
}

/** The first thing that somebody needs is code that receives an event. */
function NoWebhooks({ action }: { action: ReactNode }) {
  const texts = useWebhookTexts();
  return (
    <div className="grid min-w-0 gap-5">
      <EmptyState kind="first-use" title={texts.none} action={action}>
        {texts.noneLead}
      </EmptyState>
      <Card title={texts.receiver}>
        <WebhookCheck />
      </Card>
    </div>
  );
}

function useColumns(): Column<Webhook>[] {
  const texts = useWebhookTexts();
  const format = useFormat();
  const none = <span className="text-muted">{texts.noTries}</span>;
  return [
    { id: 'url', title: texts.columns.url, cell: (row) => <Address row={row} /> },
    {
      id: 'events',
      title: texts.columns.events,
      cell: ({ events }) => texts.eventCount(events.length, EVENT_TYPES.length),
    },
    {
      id: 'state',
      title: texts.columns.state,
      cell: ({ state }) => <WebhookStateChip state={state} />,
    },
    {
      id: 'success',
      title: texts.columns.success,
      isNumber: true,
      cell: ({ success_share: share }) => (share === null ? none : format.percent(share)),
    },
    {
      id: 'p95',
      title: texts.columns.p95,
      isNumber: true,
      cell: ({ p95_ms: ms }) => (ms === null ? '—' : texts.ms(format.number(ms))),
    },
    {
      id: 'error',
      title: texts.columns.error,
      cell: ({ last_error: last }) => (last === null ? '—' : <TryErrorText {...last} />),
      className: 'max-lg:hidden',
    },
  ];
}

function Address({ row }: { row: Webhook }) {
  return (
    <span className="grid max-w-md">
      <span translate="no" className="font-medium wrap-anywhere">
        {row.url}
      </span>
      {row.description !== '' && (
        <span className="text-sm font-normal text-muted wrap-anywhere">{row.description}</span>
      )}
    </span>
  );
}

/** Most receivers want to know what became of a message; a ping is sent by hand. */
const EVENTS_DEFAULT: readonly EventType[] = [
  'message.delivered',
  'message.failed',
  'otp.verified',
];

function NewWebhookDialog(props: { isSandbox: boolean; onClose: () => void }) {
  const { isSandbox, onClose } = props;
  const texts = useWebhookTexts();
  const [events, setEvents] = useState([...EVENTS_DEFAULT]);
  const create = useAction('createWebhook', { invalidates: ['webhooks'], isSecret: true });
  if (create.data !== undefined) {
    return <ShownSecret title={texts.created} secret={create.data} onClose={onClose} />;
  }
  return (
    <ActDialog
      title={texts.create}
      action={texts.create}
      size="large"
      state={create}
      onSubmit={(values) =>
        create.mutate({
          body: {
            url: values.text('url'),
            events,
            description: values.text('description'),
            shows_phones: values.isOn('shows_phones'),
          },
        })
      }
      onClose={onClose}
    >
      <WebhookFields isSandbox={isSandbox} events={events} onEvents={setEvents} />
    </ActDialog>
  );
}
