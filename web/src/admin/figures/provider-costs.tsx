import { useQuery } from '@tanstack/react-query';
import { FIGURE_ITEMS, type ProviderCost } from '@zhiber/contract/admin/figures.ts';
import { useState } from 'react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import type { FormValues } from '../../ui/controls/form.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';
import { type Column, DataTable } from '../../ui/table/data-table.tsx';
import { type DeskAnswer, queryOf, useAction } from '../call.ts';
import { DeskSection } from '../desk-section.tsx';
import { readTiyn } from '../tiyn.ts';

type Costs = DeskAnswer<'providerCosts'>;

export function ProviderCosts() {
  const texts = useAdminTexts().figures;
  const format = useFormat();
  const [isSetting, setSetting] = useState(false);
  const costs = useQuery(queryOf('providerCosts'));
  const columns: Column<ProviderCost>[] = [
    { id: 'provider', title: texts.provider, cell: ({ provider }) => provider },
    { id: 'item', title: texts.what, cell: ({ item }) => texts.items[item] },
    {
      id: 'from',
      title: texts.validFrom,
      cell: ({ valid_from: day }) => format.date(`${day}T07:00:00Z`),
    },
    {
      id: 'cost',
      title: texts.costTenge,
      cell: ({ cost_tiyn: cost }) => format.moneyOfTiyn(cost),
      isNumber: true,
    },
    { id: 'by', title: texts.setBy, cell: ({ set_by: by }) => by ?? '—' },
  ];
  return (
    <DeskSection
      title={texts.costs}
      aside={
        costs.data !== undefined && (
          <Button onClick={() => setSetting(true)}>{texts.setCost}</Button>
        )
      }
      lead={texts.costsLead}
    >
      {costs.error !== null ? (
        <Failure error={costs.error} onRetry={costs.refetch} />
      ) : (
        <DataTable
          caption={texts.costs}
          columns={columns}
          rows={costs.data?.costs}
          rowKey={({ provider, item, valid_from: day }) => `${provider} ${item} ${day}`}
          empty={<p className="text-table text-muted">{texts.noCosts}</p>}
        />
      )}
      {isSetting && costs.data !== undefined && (
        <CostDialog providers={costs.data.providers} onClose={() => setSetting(false)} />
      )}
    </DeskSection>
  );
}

function CostDialog(props: { providers: Costs['providers']; onClose: () => void }) {
  const { providers, onClose } = props;
  const texts = useAdminTexts().figures;
  const set = useAction('setProviderCost', { invalidates: ['providerCosts', 'figures'] });
  const [provider, setProvider] = useState(providers[0]?.name ?? '');
  const [isMistyped, setMistyped] = useState(false);
  const items = providers.find(({ name }) => name === provider)?.items ?? [];
  const submit = (values: FormValues) => {
    const cost = readTiyn(values.text('cost_tiyn'));
    setMistyped(cost === undefined);
    if (cost === undefined) return;
    const item = FIGURE_ITEMS.find((one) => one === values.text('item')) ?? 'sms';
    const body = { provider, item, valid_from: values.text('valid_from'), cost_tiyn: cost };
    set.mutate({ body }, { onSuccess: onClose });
  };
  return (
    <ActDialog
      title={texts.setCost}
      action={texts.setCost}
      state={set}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        name="provider"
        label={texts.provider}
        options={providers.map(({ name }) => ({ value: name, label: name }))}
        value={provider}
        onChoose={setProvider}
      />
      <SelectField
        name="item"
        label={texts.what}
        options={items.map((value) => ({ value, label: texts.items[value] }))}
      />
      <TextField name="valid_from" type="date" label={texts.validFrom} required />
      <TextField
        name="cost_tiyn"
        label={texts.costTenge}
        hint={texts.costHint}
        error={isMistyped ? texts.costFormat : undefined}
        inputMode="decimal"
        required
        autoComplete="off"
      />
    </ActDialog>
  );
}
