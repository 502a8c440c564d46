import { BRAND_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { TEXT_LANGUAGES } from '@zhiber/contract/cabinet/fields.ts';
import { useState } from 'react';
import { businessIdFault } from '../format/business-id.ts';
import { useAction } from '../queries.ts';
import { useLang, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { SelectField } from '../ui/controls/select-field.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { EntranceFrame } from './entrance-frame.tsx';
import { useEnter } from './use-enter.ts';

/** A company is where keys, messages and money belong; its maker becomes its owner. */
export function NewCompanyPage() {
  const { entrance: texts, company } = useTexts();
  const { lang } = useLang();
  const enter = useEnter();
  const create = useAction('createCompany');
  const submit = (values: FormValues) =>
    create.mutate({ body: readCompany(values) }, { onSuccess: () => void enter() });
  return (
    <EntranceFrame title={texts.newCompanyTitle} lead={texts.newCompanyLead}>
      <Form error={create.error} onSubmit={submit}>
        <TextField
          name="name"
          label={texts.companyName}
          hint={texts.companyNameHint}
          autoComplete="organization"
          maxLength={200}
          required
        />
        <BusinessIdField />
        <SelectField
          name="language"
          label={texts.textLanguage}
          defaultValue={lang === 'kk' ? 'kk' : 'ru'}
          options={TEXT_LANGUAGES.map((value) => ({ value, label: company.languages[value] }))}
        />
        <TextField
          name="brand"
          label={<Optional label={texts.brand} />}
          hint={texts.brandHint}
          maxLength={BRAND_LENGTH_MAX}
          autoComplete="off"
        />
        <FormActions>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            {texts.createCompany}
          </Button>
        </FormActions>
      </Form>
    </EntranceFrame>
  );
}

function readCompany(values: FormValues) {
  const businessId = values.optional('business_id');
  const brand = values.optional('brand');
  return {
    name: values.text('name'),
    language: TEXT_LANGUAGES.find((lang) => lang === values.text('language')) ?? 'ru',
    ...(businessId !== undefined && { business_id: businessId }),
    ...(brand !== undefined && { brand }),
  };
}

/** Says what is wrong once the field is left, not while it is being typed. */
function BusinessIdField() {
  const texts = useTexts().entrance;
  const [fault, setFault] = useState<'length' | 'checksum'>();
  const faults = { length: texts.businessIdLength, checksum: texts.businessIdWrong };
  return (
    <TextField
      name="business_id"
      label={<Optional label={texts.businessId} />}
      hint={texts.businessIdHint}
      error={fault && faults[fault]}
      inputMode="numeric"
      pattern="[0-9]{12}"
      maxLength={12}
      autoComplete="off"
      onChange={() => setFault(undefined)}
      onBlur={({ currentTarget: { value } }) =>
        setFault(value === '' ? undefined : businessIdFault(value))
      }
    />
  );
}

function Optional({ label }: { label: string }) {
  const texts = useTexts().entrance;
  return (
    <>
      {label} <span className="font-normal text-muted">({texts.optional})</span>
    </>
  );
}
