import { useQueryClient } from '@tanstack/react-query';
import { BRAND_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { RECIPIENTS_MAX } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Company } from '@zhiber/contract/cabinet/company.ts';
import { TEXT_LANGUAGES } from '@zhiber/contract/cabinet/fields.ts';
import { useState } from 'react';
import { queryOf, useAction } from '../queries.ts';
import { useRight } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { BusinessIdField } from '../ui/controls/business-id-field.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Optional } from '../ui/controls/field.tsx';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { RadioGroup } from '../ui/controls/radio-group.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { type BrandOffer, brandOffer } from './brand-offer.ts';
import { BrandOfferDialog } from './brand-offer-dialog.tsx';
import type { MessageStyle } from './sms-preview.tsx';

const NAME_LENGTH_MAX = 200;

export function CompanyForm(props: {
  company: Company;
  messageStyle: MessageStyle;
  onMessageStyle: (messageStyle: MessageStyle) => void;
}) {
  const { company, messageStyle, onMessageStyle } = props;
  const texts = useTexts().company;
  const { showToast } = useToasts();
  const change = useAction('changeCompany', { invalidates: ['company', 'session'] });
  const client = useQueryClient();
  const canChangeKeys = useRight('keys.change');
  const [offer, setOffer] = useState<BrandOffer>();
  const offerBrand = async (after: Pick<Company, 'name' | 'brand'>) => {
    const { keys } = await client.fetchQuery(queryOf('keys'));
    setOffer(brandOffer(company, after, keys));
  };
  const save = (values: FormValues) => {
    const named = { name: values.text('name'), brand: values.optional('brand') ?? null };
    change.mutate(
      {
        body: {
          ...named,
          business_id: values.optional('business_id') ?? null,
          language: messageStyle.language,
          approval_above: readCount(values.optional('approval_above')),
        },
      },
      {
        onSuccess: () => {
          showToast(texts.saved);
          if (canChangeKeys) void offerBrand(named);
        },
      },
    );
  };
  return (
    <>
      <Form error={change.error} onSubmit={save}>
        <TextField
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          defaultValue={company.name}
          maxLength={NAME_LENGTH_MAX}
          autoComplete="organization"
          required
        />
        <BusinessIdField saved={company.business_id} />
        <RadioGroup
          name="language"
          label={texts.language}
          options={TEXT_LANGUAGES.map((value) => ({ value, label: texts.languages[value] }))}
          value={messageStyle.language}
          onChoose={(language) => onMessageStyle({ ...messageStyle, language })}
        />
        <TextField
          name="brand"
          label={<Optional label={texts.brand} />}
          hint={texts.brandHint}
          maxLength={BRAND_LENGTH_MAX}
          autoComplete="off"
          defaultValue={company.brand ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onMessageStyle({ ...messageStyle, brand: value.trim() || null })
          }
        />
        <TextField
          name="approval_above"
          label={<Optional label={texts.approvalAbove} />}
          hint={texts.approvalAboveHint}
          type="number"
          min={0}
          max={RECIPIENTS_MAX}
          step={1}
          inputMode="numeric"
          autoComplete="off"
          defaultValue={company.approval_above ?? ''}
        />
        <FormActions>
          <Button type="submit" look="primary" isBusy={change.isPending}>
            {useTexts().ui.save}
          </Button>
        </FormActions>
      </Form>
      {offer !== undefined && (
        <BrandOfferDialog offer={offer} onClose={() => setOffer(undefined)} />
      )}
    </>
  );
}

/** The field takes whole numbers only. */
function readCount(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
