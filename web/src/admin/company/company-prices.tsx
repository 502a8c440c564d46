import { type CompanyPage as Company, PRICED_ITEMS } from '@zhiber/contract/admin/companies.ts';
import { useState } from 'react';
import { fromAlmatyInput } from '../../design/format/almaty-input.ts';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import type { FormValues } from '../../ui/controls/form.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Card, Facts } from '../../ui/display/card.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { useAction } from '../call.ts';
import { DeskSection } from '../desk-section.tsx';
import { PriceStateChip } from '../prices/price-state.tsx';
import type { ActProps } from './company-acts.tsx';

type OwnPrice = Company['own_prices'][number];

/** What the company pays now. */
export function CurrentPrices({ company }: { company: Company }) {
  const { companies: texts, prices: common } = useAdminTexts();
  const format = useFormat();
  const [isOpen, setOpen] = useState(false);
  const isOwn = (item: OwnPrice['item']) =>
    company.own_prices.some(
      (price) => price.item === item && price.state === 'holds' && price.tokens !== null,
    );
  return (
    <Card
      title={texts.prices}
      aside={<Button onClick={() => setOpen(true)}>{texts.setPrice}</Button>}
    >
      <Facts
        rows={PRICED_ITEMS.map((item) => [
          common.items[item],
          <span key={item}>
            {format.money(company.prices[item])}{' '}
            <span className="text-muted">({isOwn(item) ? texts.own : texts.common})</span>
          </span>,
        ])}
      />
      {isOpen && <PriceDialog company={company} onClose={() => setOpen(false)} />}
    </Card>
  );
}

export function SenderName({ company }: { company: Company }) {
  const texts = useAdminTexts().companies;
  const [isOpen, setOpen] = useState(false);
  return (
    <Card
      title={texts.sender}
      aside={<Button onClick={() => setOpen(true)}>{texts.chooseSender}</Button>}
    >
      <p className="text-table">
        {company.sender_name ?? <span className="text-muted">{texts.senderDefault}</span>}
      </p>
      {isOpen && <SenderDialog company={company} onClose={() => setOpen(false)} />}
    </Card>
  );
}

/** Prices that only this company has, those to come and those of the past. */
export function PriceHistory({ company }: { company: Company }) {
  const { companies: texts, prices: common } = useAdminTexts();
  const format = useFormat();
  const { showToast } = useToasts();
  const withdraw = useAction('withdrawCompanyPrice', { invalidates: ['company', 'audit'] });
  const columns: Column<OwnPrice>[] = [
    { id: 'item', title: texts.item, cell: ({ item }) => common.items[item] },
    {
      id: 'tokens',
      title: texts.price,
      isNumber: true,
      cell: ({ tokens }) => (tokens === null ? common.common : format.money(tokens)),
    },
    { id: 'from', title: texts.from, cell: ({ from }) => <Time at={from} as="timeToMinute" /> },
    { id: 'state', title: texts.state, cell: ({ state }) => <PriceStateChip state={state} /> },
    { id: 'by', title: common.columns.by, cell: ({ set_by: by }) => by ?? '—' },
    {
      id: 'withdraw',
      title: common.withdraw,
      isTitleHidden: true,
      cell: ({ id, state }) =>
        state === 'future' && (
          <Button
            isBusy={withdraw.isPending && withdraw.variables.params.price === id}
            onClick={() =>
              withdraw.mutate(
                { params: { id: company.id, price: id } },
                { onSuccess: () => showToast(common.withdrawn) },
              )
            }
          >
            {common.withdraw}
          </Button>
        ),
      onCard: 'plain',
    },
  ];
  return (
    <DeskSection title={texts.priceHistory}>
      <Refusal error={withdraw.error} />
      <DataTable
        caption={texts.priceHistory}
        columns={columns}
        rows={company.own_prices}
        rowKey={({ id }) => id}
        empty={null}
      />
    </DeskSection>
  );
}

function PriceDialog({ company, onClose }: ActProps) {
  const { companies: texts, prices: common } = useAdminTexts();
  const { showToast } = useToasts();
  const set = useAction('setCompanyPrice', { invalidates: ['company', 'audit'] });
  const submit = (values: FormValues) => {
    const tokens = values.optional('tokens');
    const from = fromAlmatyInput(values.text('from'));
    set.mutate(
      {
        params: { id: company.id },
        body: {
          item: values.text('item') as OwnPrice['item'],
          tokens: tokens === undefined ? null : Number(tokens),
          ...(from !== undefined && { from }),
        },
      },
      {
        onSuccess: () => {
          showToast(texts.saved);
          onClose();
        },
      },
    );
  };
  return (
    <ActDialog
      title={texts.priceTitle(company.name)}
      action={texts.save}
      state={set}
      onClose={onClose}
      onSubmit={submit}
    >
      <SelectField
        name="item"
        label={texts.item}
        defaultValue="sms"
        options={PRICED_ITEMS.map((item) => ({ value: item, label: common.items[item] }))}
      />
      <TextField
        name="tokens"
        label={texts.price}
        hint={texts.priceHint}
        type="number"
        min={0}
        step={1}
      />
      <TextField name="from" label={texts.from} hint={texts.fromHint} type="datetime-local" />
    </ActDialog>
  );
}

/** No registered name is empty, so it can stand for the name of the provider. */
const OF_PROVIDER = '';

function SenderDialog({ company, onClose }: ActProps) {
  const texts = useAdminTexts().companies;
  const { showToast } = useToasts();
  const choose = useAction('chooseSenderName', { invalidates: ['company', 'audit'] });
  const names = company.sender_names.map((name) => ({ value: name, label: name }));
  return (
    <ActDialog
      title={texts.senderTitle(company.name)}
      action={texts.save}
      state={choose}
      onClose={onClose}
      onSubmit={(values) =>
        choose.mutate(
          { params: { id: company.id }, body: { name: values.optional('name') ?? null } },
          {
            onSuccess: () => {
              showToast(texts.saved);
              onClose();
            },
          },
        )
      }
    >
      <SelectField
        name="name"
        label={texts.sender}
        hint={texts.senderHint}
        defaultValue={company.sender_name ?? OF_PROVIDER}
        options={[{ value: OF_PROVIDER, label: texts.senderDefault }, ...names]}
      />
    </ActDialog>
  );
}
