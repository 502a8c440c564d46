import { Link } from '@tanstack/react-router';
import {
  BRAND_LENGTH_MAX,
  CODE_LENGTH_MAX,
  CODE_LENGTH_MIN,
  CODE_TTL_SECONDS_MAX,
  CODE_TTL_SECONDS_MIN,
  FALLBACK_SECONDS_MAX,
  FALLBACK_SECONDS_MIN,
  MONTHLY_CAP_MAX,
} from '@zhiber/contract/api/limits.ts';
import { TEXT_LANGUAGES } from '@zhiber/contract/cabinet/fields.ts';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { useRight } from '../../session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { DomainField } from './domain-field.tsx';
import type { Draft } from './draft.ts';

type FieldsProps = { draft: Draft; onSet: (edit: Partial<Draft>) => void };

const CODE_LENGTHS = Array.from({ length: CODE_LENGTH_MAX - CODE_LENGTH_MIN + 1 }, (_, extra) =>
  String(CODE_LENGTH_MIN + extra),
);
const RATE_MAX = 1_000_000;

const NUMBERS = {
  fallback_seconds: { min: FALLBACK_SECONDS_MIN, max: FALLBACK_SECONDS_MAX, required: true },
  code_ttl_seconds: { min: CODE_TTL_SECONDS_MIN, max: CODE_TTL_SECONDS_MAX, required: true },
  rate_per_minute: { min: 1, max: RATE_MAX, required: false },
  monthly_cap: { min: 1, max: MONTHLY_CAP_MAX, required: false },
} as const;

export function NumberField(props: FieldsProps & { field: keyof typeof NUMBERS }) {
  const { field, draft, onSet } = props;
  const texts = useTexts().keys;
  const { min, max, required } = NUMBERS[field];
  return (
    <TextField
      type="number"
      name={field}
      label={texts.fields[field]}
      hint={texts.fieldHints[field](min, max)}
      value={draft[field]}
      min={min}
      max={max}
      required={required}
      step={1}
      inputMode="numeric"
      autoComplete="off"
      onChange={(event) => onSet({ [field]: event.currentTarget.value })}
    />
  );
}

/** The format of a code and of its message. */
export function CodeFields({ draft, onSet }: FieldsProps) {
  const texts = useTexts().keys;
  return (
    <div className="grid gap-4">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <SelectField
          name="code_length"
          label={texts.fields.code_length}
          value={draft.code_length}
          options={CODE_LENGTHS.map((value) => ({ value, label: value }))}
          onChoose={(code_length) => onSet({ code_length })}
        />
        <SelectField
          name="language"
          label={texts.fields.language}
          value={draft.language}
          options={TEXT_LANGUAGES.map((value) => ({ value, label: texts.languages[value] }))}
          onChoose={(language) => onSet({ language })}
        />
      </div>
      <NumberField field="code_ttl_seconds" draft={draft} onSet={onSet} />
      <TextField
        name="brand"
        label={texts.fields.brand}
        hint={texts.brandHint}
        value={draft.brand}
        maxLength={BRAND_LENGTH_MAX}
        autoComplete="off"
        onChange={(event) => onSet({ brand: event.currentTarget.value })}
      />
    </div>
  );
}

export function NameFields({ row, draft, onSet }: FieldsProps & { row: Key }) {
  const texts = useTexts().keys;
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <TextField
        name="name"
        label={texts.fields.name}
        value={draft.name}
        required
        maxLength={200}
        autoComplete="off"
        onChange={(event) => onSet({ name: event.currentTarget.value })}
      />
      <NumberField field="rate_per_minute" draft={draft} onSet={onSet} />
      {row.mode === 'live' && <NumberField field="monthly_cap" draft={draft} onSet={onSet} />}
      <div className="grid gap-1 xl:col-span-2">
        <DomainField
          value={draft.domain}
          onChange={(event) => onSet({ domain: event.currentTarget.value })}
        />
        {row.domain !== null && <RefusedOrigins id={row.id} />}
      </div>
    </div>
  );
}

/** Links to the request log, filtered by calls from a wrong origin. */
function RefusedOrigins({ id }: { id: number }) {
  const texts = useTexts().keys;
  if (!useRight('requests.see')) return null;
  return (
    <p className="text-sm">
      <Link
        to="/app/requests"
        search={{ key_id: String(id), error_code: 'origin_not_allowed' }}
        className="link"
      >
        {texts.refusedOrigins}
      </Link>
    </p>
  );
}
