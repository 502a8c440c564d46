import { BRAND_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { RECIPIENTS_MAX } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Company } from '@zhiber/contract/cabinet/company.ts';
import { TEXT_LANGUAGES } from '@zhiber/contract/cabinet/fields.ts';
import { useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { BusinessIdField } from '../ui/controls/business-id-field.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Optional } from '../ui/controls/field.tsx';
import { Form, FormActions, type FormValues } from '../ui/controls/form.tsx';
import { RadioGroup } from '../ui/controls/radio-group.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
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
  const save = (values: FormValues) =>
    change.mutate(
      {
        body: {
          name: values.text('name'),
          business_id: values.optional('business_id') ?? null,
          language: messageStyle.language,
          brand: values.optional('brand') ?? null,
          approval_above: readCount(values.optional('approval_above')),
        },
      },
      { onSuccess: () => showToast(texts.saved) },
    );
  return (
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
  );
}

/** The field takes whole numbers only. */
function readCount(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}
