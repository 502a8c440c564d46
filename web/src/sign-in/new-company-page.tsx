import { useNavigate } from '@tanstack/react-router';
import { BRAND_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { TEXT_LANGUAGES } from '@zhiber/contract/cabinet/fields.ts';
import type { Answer } from '../call.ts';
import { handOverKey } from '../handed-key.ts';
import { useAction } from '../queries.ts';
import { clearCache, useSession } from '../session.ts';
import { useLang, useTexts } from '../texts/use-texts.tsx';
import { BusinessIdField } from '../ui/controls/business-id-field.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Optional } from '../ui/controls/field.tsx';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { SelectField } from '../ui/controls/select-field.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { SignInFrame } from '../ui/identity/sign-in-frame.tsx';

/** Keys, messages and the balance belong to a company; its creator becomes its owner. */
export function NewCompanyPage() {
  const { signIn: texts, company } = useTexts();
  const { lang } = useLang();
  const { person } = useSession();
  const navigate = useNavigate();
  const create = useAction('createCompany', { isSecret: true });
  const begin = async ({ id, test_key: { id: keyId, key } }: Answer<'createCompany'>) => {
    create.reset();
    await clearCache();
    handOverKey({ companyId: id, keyId, key });
    await navigate({ to: '/app/start', replace: true });
  };
  const submit = (values: FormValues) =>
    create.mutate({ body: readCompany(values) }, { onSuccess: (made) => void begin(made) });
  return (
    <SignInFrame title={texts.newCompanyTitle} lead={texts.newCompanyLead}>
      <Form error={create.error} onSubmit={submit}>
        {!person.has_name && (
          <TextField
            name="person_name"
            label={texts.yourName}
            hint={texts.yourNameHint}
            autoComplete="name"
            maxLength={200}
            required
            autoFocus
          />
        )}
        <TextField
          name="name"
          label={company.name}
          hint={texts.companyNameHint}
          autoComplete="organization"
          maxLength={200}
          required
          autoFocus={person.has_name}
        />
        <BusinessIdField saved={null} />
        <SelectField
          name="language"
          label={company.language}
          defaultValue={lang === 'kk' ? 'kk' : 'ru'}
          options={TEXT_LANGUAGES.map((value) => ({ value, label: company.languages[value] }))}
        />
        <TextField
          name="brand"
          label={<Optional label={company.brand} />}
          hint={texts.brandHint}
          maxLength={BRAND_LENGTH_MAX}
          autoComplete="off"
        />
        <FormActions>
          <Button type="submit" look="primary" className="w-full" isBusy={create.isPending}>
            {texts.createCompany}
          </Button>
        </FormActions>
      </Form>
    </SignInFrame>
  );
}

function readCompany(values: FormValues) {
  const businessId = values.optional('business_id');
  const brand = values.optional('brand');
  const personName = values.optional('person_name');
  return {
    name: values.text('name'),
    language: TEXT_LANGUAGES.find((lang) => lang === values.text('language')) ?? 'ru',
    ...(businessId !== undefined && { business_id: businessId }),
    ...(brand !== undefined && { brand }),
    ...(personName !== undefined && { person_name: personName }),
  };
}
