import { useQuery } from '@tanstack/react-query';
import {
  ALERT_EMAILS_MAX,
  ALERT_THRESHOLD_MAX,
  type BalanceAlert,
} from '@zhiber/contract/cabinet/alerts.ts';
import { queryOf, useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Optional } from '../../ui/controls/field.tsx';
import { Form, FormActions, type FormValues } from '../../ui/controls/form.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { CheckboxField } from '../../ui/controls/tick-field.tsx';
import { Card, Facts } from '../../ui/display/card.tsx';
import { ErrorCard } from '../../ui/display/error-card.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { Time } from '../../ui/display/time.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { readEmails } from './read-emails.ts';

/** To whom a low balance is announced, and when. For pages of people who see the balance. */
export function AlertsCard() {
  const texts = useTexts().alerts;
  const { data: alert, error, refetch } = useQuery(queryOf('balanceAlert'));
  const canChange = useRight('balance.topup');
  if (error !== null && alert === undefined) return <ErrorCard error={error} onRetry={refetch} />;
  if (alert === undefined) return <SkeletonCard lines={4} />;
  return (
    <Card title={texts.title}>
      <div className="grid gap-4">
        <p className="max-w-prose text-table text-muted">{texts.lead}</p>
        {canChange ? <AlertForm alert={alert} /> : <AlertFacts alert={alert} />}
      </div>
    </Card>
  );
}

function AlertForm({ alert }: { alert: BalanceAlert }) {
  const texts = useTexts().alerts;
  const { save } = useTexts().ui;
  const { showToast } = useToasts();
  const change = useAction('changeBalanceAlert', { invalidates: ['balanceAlert', 'balanceState'] });
  const submit = (values: FormValues) => {
    const group = values.optional('telegram_group_id');
    const emails = readEmails(values.text('emails'));
    const threshold = values.optional('threshold');
    change.mutate(
      {
        body: {
          threshold: threshold === undefined ? null : Number(threshold),
          emails: emails.length === 0 ? null : emails,
          tells_members_in_telegram: values.isOn('tells_members_in_telegram'),
          telegram_group_id: group === undefined ? null : Number(group),
        },
      },
      { onSuccess: () => showToast(texts.saved) },
    );
  };
  return (
    <Form error={change.error} onSubmit={submit}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          type="number"
          name="threshold"
          label={<Optional label={texts.threshold} />}
          hint={texts.thresholdHint}
          defaultValue={alert.threshold ?? ''}
          min={1}
          max={ALERT_THRESHOLD_MAX}
          step={1}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          name="emails"
          label={<Optional label={texts.emails} />}
          hint={<EmailsHint alert={alert} />}
          defaultValue={alert.emails?.join(', ') ?? ''}
          inputMode="email"
          autoComplete="off"
        />
      </div>
      {alert.telegram !== null && <TelegramFields alert={alert} telegram={alert.telegram} />}
      <LastAlert alert={alert} />
      <FormActions>
        <Button type="submit" isBusy={change.isPending}>
          {save}
        </Button>
      </FormActions>
    </Form>
  );
}

function EmailsHint({ alert }: { alert: BalanceAlert }) {
  const texts = useTexts().alerts;
  if (!alert.has_mail) return texts.noMail;
  const { member_emails: addresses } = alert;
  return (
    <span className="wrap-anywhere">
      {texts.emailsHint(ALERT_EMAILS_MAX)}{' '}
      {addresses.length === 0 ? texts.toNobody : texts.toMembers(addresses.join(', '))}
    </span>
  );
}

function TelegramFields(props: {
  alert: BalanceAlert;
  telegram: NonNullable<BalanceAlert['telegram']>;
}) {
  const { alert, telegram } = props;
  const texts = useTexts().alerts;
  const { groups, members } = telegram;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <CheckboxField
        name="tells_members_in_telegram"
        label={texts.telegramMembers}
        hint={
          members.length === 0
            ? texts.telegramNobody
            : texts.telegramMembersHint(members.join(', '))
        }
        defaultChecked={alert.tells_members_in_telegram}
      />
      {groups.length > 0 && (
        <SelectField
          name="telegram_group_id"
          label={texts.telegramGroup}
          defaultValue={String(alert.telegram_group_id ?? '')}
          options={[
            { value: '', label: texts.noGroup },
            ...groups.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      )}
    </div>
  );
}

function LastAlert({ alert }: { alert: BalanceAlert }) {
  const texts = useTexts().alerts;
  if (alert.announced_at === null) return null;
  return (
    <p className="text-sm text-muted">
      {texts.announcedAt}: <Time at={alert.announced_at} as="timeToMinute" />
    </p>
  );
}

function AlertFacts({ alert }: { alert: BalanceAlert }) {
  const texts = useTexts().alerts;
  const format = useFormat();
  const { threshold, emails, announced_at: at } = alert;
  return (
    <Facts
      rows={[
        [texts.threshold, threshold === null ? texts.isOff : format.money(threshold)],
        [texts.emails, emails?.join(', ') ?? texts.membersWhoSee],
        [
          texts.announcedAt,
          at === null ? texts.never : <Time key="at" at={at} as="timeToMinute" />,
        ],
      ]}
    />
  );
}
