import type { StoryStep } from '@zhiber/contract/admin/search.ts';
import { useState } from 'react';
import { dayOf } from '../design/format/almaty-day.ts';
import { fromAlmatyInput } from '../design/format/almaty-input.ts';
import { useAdminTexts } from '../texts/use-admin-texts.ts';
import { useFormat, useLang } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions } from '../ui/controls/form.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { Card } from '../ui/display/card.tsx';
import { Page } from '../ui/display/page.tsx';
import { ModeChip } from '../ui/display/status-chip.tsx';
import { type DeskAnswer, useAction } from './call.ts';

/**
 * "Why did this client get no code at 14:05?" The phone stays out of the address: the history of a
 * browser keeps addresses.
 */
export function SearchPage() {
  const { frame, search: texts } = useAdminTexts();
  const { lang } = useLang();
  const [isBadTime, setBadTime] = useState(false);
  const find = useAction('findStory');
  return (
    <Page title={frame.sections.search} lead={texts.lead}>
      <Card>
        <Form
          className="max-w-form"
          error={find.error}
          onSubmit={(values) => {
            const day = values.text('day');
            const from = fromAlmatyInput(`${day}T${values.text('from') || '00:00'}`);
            const to = fromAlmatyInput(`${day}T${values.text('to') || '23:59'}`);
            const isBad = from === undefined || to === undefined || from >= to;
            setBadTime(isBad);
            if (isBad) return;
            find.mutate({ body: { search: values.text('search'), from, to, language: lang } });
          }}
        >
          <TextField
            name="search"
            label={texts.what}
            hint={texts.whatHint}
            required
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
          />
          <div className="grid gap-4 sm:grid-cols-3">
            <TextField
              name="day"
              type="date"
              label={texts.day}
              required
              defaultValue={dayOf(Date.now())}
            />
            <TextField name="from" type="time" label={texts.from} />
            <TextField
              name="to"
              type="time"
              label={texts.to}
              error={isBadTime ? texts.badTime : undefined}
            />
          </div>
          <FormActions>
            <Button type="submit" look="primary" isBusy={find.isPending}>
              {texts.find}
            </Button>
          </FormActions>
        </Form>
      </Card>
      {find.data !== undefined && <Found story={find.data} />}
    </Page>
  );
}

type Answer = DeskAnswer<'findStory'>;

const VERDICTS: Record<Answer['verdict'], string> = {
  nothing_sent: 'border-border bg-surface',
  refused: 'border-bad bg-bad-tint text-bad',
  not_confirmed: 'border-warn bg-warn-tint text-warn',
  not_delivered: 'border-bad bg-bad-tint text-bad',
  unknown: 'border-warn bg-warn-tint text-warn',
  sending: 'border-info bg-info-tint text-info',
  arrived: 'border-ok bg-ok-tint text-ok',
};

function Found({ story }: { story: Answer }) {
  const texts = useAdminTexts().search;
  return (
    <>
      <div role="status" className={classes('rounded-card border p-4', VERDICTS[story.verdict])}>
        <h2 className="text-sm font-medium">{texts.conclusion}</h2>
        <p className="mt-1 text-lg wrap-anywhere">{story.conclusion}</p>
      </div>
      {story.steps.length > 0 && (
        <Card title={texts.story}>
          <ol className="grid gap-3">
            {story.steps.map((step, place) => (
              <Step key={place} step={step} />
            ))}
          </ol>
          {story.is_cut && <p className="mt-3 text-table text-warn">{texts.cut}</p>}
        </Card>
      )}
    </>
  );
}

const TONES: Record<string, string> = {
  sent: 'border-info bg-info-tint',
  delivered: 'border-ok bg-ok',
  read: 'border-ok bg-ok',
  verified: 'border-ok bg-ok',
  code_verified: 'border-ok bg-ok',
  clicked: 'border-ok bg-ok',
  refused: 'border-bad bg-bad',
  unavailable: 'border-bad bg-bad',
  failed: 'border-bad bg-bad',
  send_refused: 'border-bad bg-bad',
  call_refused: 'border-bad bg-bad',
  code_locked: 'border-bad bg-bad',
  sms_blocked: 'border-bad bg-bad',
  unknown: 'border-warn bg-warn',
  unconfirmed: 'border-warn bg-warn',
  code_wrong: 'border-warn bg-warn',
  code_expired: 'border-warn bg-warn',
  code_used: 'border-warn bg-warn',
  code_missing: 'border-warn bg-warn',
};

function Step({ step }: { step: StoryStep }) {
  const texts = useAdminTexts().search;
  const format = useFormat();
  const ids = [
    step.kind === 'accepted' && step.message_id !== null && [texts.message, step.message_id],
    step.request_id !== null && [texts.request, step.request_id],
  ].filter((id) => id !== false);
  return (
    <li className="grid grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-0.5 text-table sm:grid-cols-[auto_6rem_1fr_auto]">
      <span
        aria-hidden="true"
        className={classes(
          'size-3 translate-y-px rounded-full border-2',
          TONES[step.kind] ?? 'border-border bg-surface',
        )}
      />
      <time dateTime={step.at} title={format.time(step.at)} className="text-muted">
        {format.clockSeconds(step.at)}
      </time>
      <span className="min-w-0 max-sm:col-start-2">
        <span className="font-medium wrap-anywhere">{step.text}</span>
        {step.mode === 'test' && (
          <span className="ms-2 inline-block">
            <ModeChip mode="test" />
          </span>
        )}
        <span className="block text-sm text-muted wrap-anywhere">
          {step.company.name}
          {ids.map(([label, id]) => (
            <span key={id}>
              {' · '}
              {label} <code className="font-mono">{id}</code>
            </span>
          ))}
        </span>
      </span>
      <span className="text-sm whitespace-nowrap max-sm:col-start-2">
        {step.cost !== null && step.cost > 0 && format.money(step.cost)}
      </span>
    </li>
  );
}
