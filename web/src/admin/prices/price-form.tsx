import { useQuery } from '@tanstack/react-query';
import { PRICE_MAX, type PricedItem } from '@zhiber/contract/api/prices.ts';
import { useState } from 'react';
import { fromAlmatyInput } from '../../design/format/almaty-input.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { useDebounced } from '../../ui/controls/debounced.ts';
import { Form, FormActions } from '../../ui/controls/form.tsx';
import { optionsOf, Segments } from '../../ui/controls/segments.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { queryOf, useAction } from '../call.ts';

/** A new price of everybody, with whom it concerns before it is set. */
export function PriceForm() {
  const texts = useAdminTexts().prices;
  const { showToast } = useToasts();
  const [item, setItem] = useState<PricedItem>('sms');
  const [typed, setTyped] = useState('');
  const [when, setWhen] = useState<'now' | 'later'>('now');
  const [local, setLocal] = useState('');
  const set = useAction('setPrice', { invalidates: ['prices', 'previewPrice'] });
  const from = when === 'now' ? undefined : fromAlmatyInput(local);
  const isComplete = typed !== '' && (when === 'now' || from !== undefined);
  const save = () =>
    set.mutate(
      { body: { item, tokens: Number(typed), ...(from !== undefined && { from }) } },
      {
        onSuccess: () => {
          showToast(texts.isSet);
          setTyped('');
        },
      },
    );
  return (
    <Form className="max-w-form" error={set.error} onSubmit={save}>
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="item"
          label={texts.item}
          value={item}
          options={Object.entries(texts.items).map(([value, label]) => ({
            value: value as PricedItem,
            label,
          }))}
          onChoose={setItem}
        />
        <TextField
          name="tokens"
          label={texts.tokens}
          type="number"
          min={0}
          max={PRICE_MAX}
          step={1}
          required
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      <Segments
        label={texts.when}
        options={optionsOf({ now: texts.atOnce, later: texts.later })}
        value={when}
        onChoose={setWhen}
      />
      {when === 'later' && (
        <TextField
          name="from"
          label={texts.from}
          type="datetime-local"
          required
          value={local}
          onChange={(event) => setLocal(event.currentTarget.value)}
        />
      )}
      {isComplete && <Preview item={item} tokens={Number(typed)} from={from} />}
      <FormActions>
        <Button type="submit" look="primary" isBusy={set.isPending}>
          {texts.set}
        </Button>
      </FormActions>
    </Form>
  );
}

function Preview(props: { item: PricedItem; tokens: number; from: string | undefined }) {
  const { item, tokens } = props;
  const texts = useAdminTexts().prices;
  const format = useFormat();
  const from = useDebounced(props.from);
  const { data } = useQuery(queryOf('previewPrice', { query: { item, from } }));
  if (data === undefined) return null;
  return (
    <div role="status" className="grid gap-1 rounded-control bg-sunken p-3 text-table">
      <p className="font-medium">{texts.preview}</p>
      <p>{texts.before(format.money(data.before), format.money(tokens))}</p>
      <p>{texts.reaches(data.companies)}</p>
      <p>{texts.sends(data.sends, format.number(data.sends), data.days)}</p>
      {data.other_prices.length > 0 && (
        <>
          <p className="pt-1 text-muted">{texts.others}</p>
          <ul className="list-disc ps-5">
            {data.other_prices.map(({ company, tokens: own }) => (
              <li key={company.id}>
                {company.name}: {format.money(own)}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
