import { useNavigate } from '@tanstack/react-router';
import type { Incident } from '@zhiber/contract/admin/incidents.ts';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import type { FormValues } from '../../ui/controls/form.tsx';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { useAction } from '../call.ts';
import { splatOf } from '../section-address.ts';
import { FactFields, factsIn, kindOf } from './incident-fields.tsx';

export function IncidentActions({ incident }: { incident: Incident }) {
  const texts = useAdminTexts().incidents;
  const [open, setOpen] = useState<'change' | 'publish' | 'discard'>();
  const close = () => setOpen(undefined);
  const isDraft = incident.published_at === null;
  return (
    <>
      {isDraft && (
        <Button look="primary" onClick={() => setOpen('publish')}>
          {texts.publish}
        </Button>
      )}
      <Button onClick={() => setOpen('change')}>{texts.change}</Button>
      {isDraft && (
        <Button look="quiet" onClick={() => setOpen('discard')}>
          {texts.discard}
        </Button>
      )}
      {open === 'change' && <ChangeDialog incident={incident} onClose={close} />}
      {open === 'publish' && <PublishDialog incident={incident} onClose={close} />}
      {open === 'discard' && <DiscardDialog incident={incident} onClose={close} />}
    </>
  );
}

type ActionProps = { incident: Incident; onClose: () => void };

export const CHANGED = { invalidates: ['incident', 'incidents'] } as const;

function ChangeDialog({ incident, onClose }: ActionProps) {
  const texts = useAdminTexts().incidents;
  const { save } = useTexts().ui;
  const change = useAction('changeIncident', CHANGED);
  const submit = (values: FormValues) =>
    change.mutate(
      { params: { incident_id: incident.id }, body: factsIn(values, kindOf(incident)) },
      { onSuccess: onClose },
    );
  return (
    <ActDialog
      title={kindOf(incident) === 'incident' ? texts.changeTitle : texts.changeMaintenance}
      action={save}
      size="large"
      state={change}
      onSubmit={submit}
      onClose={onClose}
    >
      <FactFields incident={incident} kind={kindOf(incident)} />
    </ActDialog>
  );
}

function PublishDialog({ incident, onClose }: ActionProps) {
  const texts = useAdminTexts().incidents;
  const publish = useAction('publishIncident', CHANGED);
  const params = { incident_id: incident.id };
  return (
    <ConfirmDialog
      title={texts.publishTitle}
      action={texts.publish}
      state={publish}
      onConfirm={() => publish.mutate({ params }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p>{texts.publishLead}</p>
    </ConfirmDialog>
  );
}

function DiscardDialog({ incident, onClose }: ActionProps) {
  const texts = useAdminTexts().incidents;
  const navigate = useNavigate();
  const discard = useAction('discardIncident', { invalidates: ['incidents'] });
  const params = { incident_id: incident.id };
  const leave = () => void navigate({ to: '/admin/$', params: { _splat: splatOf('incidents') } });
  return (
    <ConfirmDialog
      title={texts.discardTitle}
      action={texts.discard}
      state={discard}
      onConfirm={() => discard.mutate({ params }, { onSuccess: leave })}
      onClose={onClose}
    >
      <p>{texts.discardLead}</p>
    </ConfirmDialog>
  );
}
