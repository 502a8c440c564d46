import { LINK_TTL_SECONDS_MAX } from '@zhiber/contract/api/limits.ts';
import { useState } from 'react';
import type { Answer } from '../../call.ts';
import { addDays, dayOf } from '../../design/format/almaty-day.ts';
import { useAction } from '../../queries.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form, FormActions, type FormValues } from '../../ui/controls/form.tsx';
import { RadioGroup } from '../../ui/controls/radio-group.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { withScheme } from '../../ui/controls/with-scheme.ts';
import { Card } from '../../ui/display/card.tsx';
import { AliasField } from './alias-field.tsx';
import { EXPIRIES, type Expiry, expirySeconds } from './expiry.ts';

const DAYS_MAX = LINK_TTL_SECONDS_MAX / 86_400 - 1;

export type CreatedLink = Answer<'createLink'>;

export function NewLinkForm(props: {
  onCreated: (link: CreatedLink) => void;
  /** Absent where the form is the only content of the page. */
  onClose?: (() => void) | undefined;
}) {
  const texts = useTexts();
  const create = useAction('createLink', { invalidates: ['links', 'checkAlias'] });
  const [alias, setAlias] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('never');
  const submit = (values: FormValues) => {
    const expiresIn = expirySeconds({ expiry, day: values.optional('day') }, Date.now());
    const body = {
      url: withScheme(values.text('url')),
      ...(alias !== '' && { alias }),
      ...(expiresIn !== undefined && { expires_in: expiresIn }),
    };
    create.mutate({ body }, { onSuccess: props.onCreated });
  };
  return (
    <Card title={texts.links.newTitle} className="max-w-2xl">
      <Form error={create.error} onSubmit={submit}>
        <TextField
          name="url"
          label={texts.links.url}
          type="text"
          inputMode="url"
          placeholder="https://"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <AliasField alias={alias} onType={setAlias} />
        <ExpiryChoice expiry={expiry} onChoose={setExpiry} />
        <FormActions>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            {texts.links.create}
          </Button>
          {props.onClose !== undefined && (
            <Button look="quiet" onClick={props.onClose}>
              {texts.ui.cancel}
            </Button>
          )}
        </FormActions>
      </Form>
    </Card>
  );
}

function ExpiryChoice(props: { expiry: Expiry; onChoose: (expiry: Expiry) => void }) {
  const texts = useTexts().links;
  const today = dayOf(Date.now());
  return (
    <div className="grid gap-3">
      <RadioGroup
        name="expiry"
        label={texts.expiry}
        isInline
        options={EXPIRIES.map((value) => ({ value, label: texts.expiries[value] }))}
        value={props.expiry}
        onChoose={props.onChoose}
      />
      {props.expiry === 'date' && (
        <div className="max-w-56">
          <TextField
            name="day"
            type="date"
            label={texts.expiryDay}
            hint={texts.expiryDayHint}
            min={today}
            max={addDays(today, DAYS_MAX)}
            required
          />
        </div>
      )}
    </div>
  );
}
