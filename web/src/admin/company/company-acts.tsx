import { type CompanyPage as Company, VIEW_MINUTES } from '@zhiber/contract/admin/companies.ts';
import { clearCache } from '../../session.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import type { FormValues } from '../../ui/controls/form.tsx';
import { RadioGroup } from '../../ui/controls/radio-group.tsx';
import { useRequestId } from '../../ui/controls/request-id.ts';
import { TextAreaField, TextField } from '../../ui/controls/text-field.tsx';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { useAction } from '../call.ts';

export type ActProps = { company: Company; onClose: () => void };

const CHANGES = ['company', 'companies', 'audit', 'overview'] as const;

/** Opens the cabinet in this tab. The whole page loads anew: nothing of the desk stays in it. */
export function ViewDialog({ company, onClose }: ActProps) {
  const texts = useAdminTexts().companies;
  const view = useAction('viewCompany');
  const open = async () => {
    await view.mutateAsync({ params: { id: company.id } });
    await clearCache();
    location.assign('/app');
  };
  return (
    <ActDialog
      title={texts.viewTitle(company.name)}
      action={texts.view}
      state={view}
      onSubmit={() => void open().catch(() => undefined)}
      onClose={onClose}
    >
      <p className="text-table">{texts.viewNote(VIEW_MINUTES)}</p>
    </ActDialog>
  );
}

export function SuspendDialog({ company, onClose }: ActProps) {
  const texts = useAdminTexts().companies;
  const { showToast } = useToasts();
  const suspend = useAction('suspendCompany', { invalidates: CHANGES });
  return (
    <ActDialog
      title={texts.suspendTitle(company.name)}
      action={texts.suspend}
      isDangerous
      state={suspend}
      onClose={onClose}
      onSubmit={(values) =>
        suspend.mutate(
          { params: { id: company.id }, body: { reason: values.text('reason') } },
          {
            onSuccess: () => {
              showToast(texts.suspended);
              onClose();
            },
          },
        )
      }
    >
      <p className="text-table">{texts.suspendNote}</p>
      <ReasonField />
    </ActDialog>
  );
}

export function ResumeDialog({ company, onClose }: ActProps) {
  const texts = useAdminTexts().companies;
  const { showToast } = useToasts();
  const resume = useAction('resumeCompany', { invalidates: CHANGES });
  return (
    <ActDialog
      title={texts.resumeTitle(company.name)}
      action={texts.resume}
      state={resume}
      onClose={onClose}
      onSubmit={() =>
        resume.mutate(
          { params: { id: company.id } },
          {
            onSuccess: () => {
              showToast(texts.resumed);
              onClose();
            },
          },
        )
      }
    >
      <p className="text-table">{texts.resumeNote}</p>
    </ActDialog>
  );
}

/** Within the limit of a day it is applied at once; beyond it another operator is asked. */
export function CorrectionDialog({ company, onClose }: ActProps) {
  const texts = useAdminTexts().companies;
  const format = useFormat();
  const { showToast } = useToasts();
  const request = useRequestId();
  const correct = useAction('correctBalance', { invalidates: [...CHANGES, 'waitingCorrections'] });
  const submit = (values: FormValues) => {
    const typed = Number(values.text('amount'));
    const change = {
      amount: values.text('direction') === 'minus' ? -typed : typed,
      reason: values.text('reason'),
    };
    const body = { ...change, request_id: request.idFor(change) };
    correct.mutate(
      { params: { id: company.id }, body },
      {
        onSuccess: ({ state }) => {
          showToast(state === 'applied' ? texts.applied : texts.asked);
          onClose();
        },
      },
    );
  };
  return (
    <ActDialog
      title={texts.correctTitle(company.name)}
      action={texts.submitCorrection}
      state={correct}
      onClose={onClose}
      onSubmit={submit}
    >
      <RadioGroup
        name="direction"
        label={texts.direction}
        isInline
        defaultValue="plus"
        options={[
          { value: 'plus', label: texts.plus },
          { value: 'minus', label: texts.minus },
        ]}
      />
      <TextField
        name="amount"
        label={texts.amount}
        hint={texts.canTake(format.money(company.available))}
        type="number"
        inputMode="numeric"
        min={1}
        step={1}
        required
      />
      <ReasonField />
      <p className="text-sm text-muted">{texts.limit(format.money(company.correction_limit))}</p>
    </ActDialog>
  );
}

export function LimitsDialog(props: {
  companyId: number;
  apiKey: Company['keys'][number];
  onClose: () => void;
}) {
  const { companyId, apiKey, onClose } = props;
  const texts = useAdminTexts().companies;
  const { showToast } = useToasts();
  const change = useAction('changeKeyLimits', { invalidates: CHANGES });
  const numberOf = (values: FormValues, name: string) => {
    const typed = values.optional(name);
    return typed === undefined ? null : Number(typed);
  };
  const submit = (values: FormValues) =>
    change.mutate(
      {
        params: { id: companyId, key: apiKey.id },
        body: {
          rate_per_minute: numberOf(values, 'rate_per_minute'),
          monthly_cap: numberOf(values, 'monthly_cap'),
        },
      },
      {
        onSuccess: () => {
          showToast(texts.saved);
          onClose();
        },
      },
    );
  return (
    <ActDialog
      title={texts.limitsTitle(apiKey.name)}
      action={texts.save}
      state={change}
      onClose={onClose}
      onSubmit={submit}
    >
      <p className="text-table">{texts.limitsNote}</p>
      <TextField
        name="rate_per_minute"
        label={texts.rate}
        hint={texts.rateHint}
        type="number"
        min={1}
        defaultValue={apiKey.rate_per_minute ?? ''}
      />
      {apiKey.mode === 'live' && (
        <TextField
          name="monthly_cap"
          label={texts.cap}
          hint={texts.capHint}
          type="number"
          min={1}
          defaultValue={apiKey.monthly_cap ?? ''}
        />
      )}
    </ActDialog>
  );
}

function ReasonField() {
  const texts = useAdminTexts().companies;
  return (
    <TextAreaField
      name="reason"
      label={texts.reason}
      hint={texts.reasonHint}
      rows={3}
      maxLength={500}
      required
    />
  );
}
