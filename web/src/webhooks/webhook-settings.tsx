import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Webhook } from '@zhiber/contract/cabinet/webhooks.ts';
import { useState } from 'react';
import { queryOf, useAction } from '../queries.ts';
import { useRight } from '../session.ts';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { Card } from '../ui/display/card.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { WebhookFields } from './webhook-fields.tsx';
import { TurnOffButton } from './webhook-notices.tsx';

/** The settings of an endpoint, and how to be rid of it. */
export function WebhookSettingsForm({ row }: { row: Webhook }) {
  const texts = useWebhookTexts();
  const { showToast } = useToasts();
  const canChange = useRight('webhooks.change');
  const [events, setEvents] = useState([...row.events]);
  const { data } = useQuery(queryOf('webhooks'));
  const change = useAction('changeWebhook', { invalidates: ['webhooks', 'webhook'] });
  return (
    <div className="grid gap-5">
      <Card>
        <Form
          error={change.error}
          onSubmit={(values) =>
            change.mutate(
              {
                params: { id: row.id },
                body: {
                  url: values.text('url'),
                  events,
                  description: values.text('description'),
                  shows_phones: values.isOn('shows_phones'),
                },
              },
              { onSuccess: () => showToast(texts.saved) },
            )
          }
        >
          <fieldset disabled={!canChange} className="grid min-w-0 gap-4">
            <WebhookFields
              initial={row}
              isSandbox={data?.is_sandbox ?? false}
              events={events}
              onEvents={setEvents}
            />
          </fieldset>
          {canChange && (
            <FormActions>
              <Button type="submit" look="primary" isBusy={change.isPending}>
                {texts.save}
              </Button>
            </FormActions>
          )}
        </Form>
      </Card>
      {canChange && (
        <div className="flex flex-wrap gap-2">
          {row.state !== 'off' && <TurnOffButton row={row} />}
          <RemoveButton row={row} />
        </div>
      )}
    </div>
  );
}

function RemoveButton({ row }: { row: Webhook }) {
  const texts = useWebhookTexts();
  const navigate = useNavigate();
  const { showToast } = useToasts();
  const [isAsking, setAsking] = useState(false);
  const remove = useAction('deleteWebhook', { invalidates: ['webhooks'] });
  const confirm = () =>
    remove.mutate(
      { params: { id: row.id } },
      {
        onSuccess: () => {
          showToast(texts.removed);
          void navigate({ to: '/app/webhooks' });
        },
      },
    );
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {texts.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.removeTitle}
          action={texts.remove}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
          state={remove}
        >
          <p className="text-table">{texts.removeNote}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
