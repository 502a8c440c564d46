import { useNavigate } from '@tanstack/react-router';
import { PAYMENT_PROVIDERS } from '@zhiber/contract/cabinet/topups.ts';
import { Gift } from 'lucide-react';
import { useState } from 'react';
import { oneOf, useFilters, whole } from '../../app/filters.ts';
import type { Answer } from '../../call.ts';
import { CallError } from '../../call-error.ts';
import { useAction } from '../../queries.ts';
import { useFormat, useLang, useTexts } from '../../texts/use-texts.tsx';
import { BusinessIdField } from '../../ui/controls/business-id-field.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form, FormActions, type FormValues } from '../../ui/controls/form.tsx';
import { RadioGroup } from '../../ui/controls/radio-group.tsx';
import { useRequestId } from '../../ui/controls/request-id.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Card } from '../../ui/display/card.tsx';
import { messagesFor, problemOf } from './amount.ts';
import { AmountField } from './amount-field.tsx';

export type TopupOptions = Answer<'topupOptions'>;
type ProviderName = TopupOptions['providers'][number]['name'];

const NAME_LENGTH_MAX = 200;
const AMOUNT_DEFAULT = 5_000;
/** From an order that ended: its amount and way to pay. */
const GIVEN = { amount: whole, provider: oneOf(PAYMENT_PROVIDERS) };

export function TopupForm({ options }: { options: TopupOptions }) {
  const texts = useTexts().topup;
  const format = useFormat();
  const { lang } = useLang();
  const navigate = useNavigate();
  const { filters: given } = useFilters(GIVEN);
  const [amount, setAmount] = useState(given.amount ?? Math.max(AMOUNT_DEFAULT, options.min));
  const [isChecked, setChecked] = useState(false);
  const { idFor, renew } = useRequestId();
  const create = useAction('createTopup', { invalidates: ['topups', 'topupOptions'] });

  const submit = (values: FormValues) => {
    setChecked(true);
    if (problemOf(amount, options) !== undefined) return;
    const businessId = values.optional('business_id');
    const body = {
      provider: values.text('provider') as ProviderName,
      amount,
      payer_name: values.text('payer_name'),
      ...(businessId !== undefined && { business_id: businessId }),
      language: lang,
    };
    create.mutate(
      { body: { ...body, request_id: idFor(body) } },
      {
        onSuccess: ({ id }) => void navigate({ to: '/app/balance/topup/$id', params: { id } }),
        onError: (error) => {
          if (error instanceof CallError && error.code === 'payment_unavailable') renew();
        },
      },
    );
  };
  return (
    <Form error={create.error} onSubmit={submit} className="gap-5">
      <Card>
        <AmountField
          amount={amount}
          limits={options}
          isChecked={isChecked}
          onChange={setAmount}
          onLeave={() => setChecked(true)}
        />
        <WhatItBuys amount={amount} options={options} />
      </Card>
      <ProviderChoice options={options} preferred={given.provider} />
      <Card title={texts.payer}>
        <div className="grid gap-4">
          <TextField
            name="payer_name"
            label={texts.payerName}
            hint={texts.payerHint}
            defaultValue={options.payer.name}
            maxLength={NAME_LENGTH_MAX}
            autoComplete="organization"
            required
          />
          <BusinessIdField saved={options.payer.business_id} />
        </div>
      </Card>
      <FormActions>
        <Button type="submit" look="primary" isBusy={create.isPending}>
          {texts.toPayment(format.money(amount))}
        </Button>
      </FormActions>
    </Form>
  );
}

function WhatItBuys({ amount, options }: { amount: number; options: TopupOptions }) {
  const texts = useTexts().topup;
  const format = useFormat();
  if (problemOf(amount, options) !== undefined) return null;
  const { messengers, sms } = messagesFor(amount + options.bonus, options.prices);
  return (
    <div className="mt-3 grid gap-2 text-table">
      {options.bonus > 0 && (
        <p className="flex gap-2 rounded-control bg-ok-tint px-3 py-2 text-ok">
          <Gift aria-hidden="true" size={18} className="mt-0.5 shrink-0" />
          {texts.bonus(format.money(options.bonus), format.money(amount + options.bonus))}
        </p>
      )}
      <p className="text-muted">{texts.buys(messengers, sms, format.number)}</p>
    </div>
  );
}

/** A choice only where there is one; a single way to pay is just named. */
function ProviderChoice(props: { options: TopupOptions; preferred: ProviderName | undefined }) {
  const texts = useTexts().topup;
  const { providers } = props.options;
  const [first] = providers;
  if (first === undefined) return null;
  if (providers.length === 1) {
    return (
      <Card title={texts.provider}>
        <input type="hidden" name="provider" value={first.name} />
        <p className="text-table">{texts.providers[first.name]}</p>
        <p className="text-sm text-muted">{texts.confirmations[first.confirmation]}</p>
      </Card>
    );
  }
  const isOpen = providers.some(({ name }) => name === props.preferred);
  return (
    <Card>
      <RadioGroup
        name="provider"
        label={texts.provider}
        options={providers.map(({ name, confirmation }) => ({
          value: name,
          label: texts.providers[name],
          hint: texts.confirmations[confirmation],
        }))}
        defaultValue={isOpen ? (props.preferred as ProviderName) : first.name}
      />
    </Card>
  );
}
