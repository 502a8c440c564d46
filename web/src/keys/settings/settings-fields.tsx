import { Link } from '@tanstack/react-router';
import {
  BRAND_LENGTH_MAX,
  CODE_LENGTH_MAX,
  CODE_LENGTH_MIN,
  CODE_TTL_SECONDS_MAX,
  CODE_TTL_SECONDS_MIN,
  FALLBACK_SECONDS_MAX,
  FALLBACK_SECONDS_MIN,
  KEY_CAP_MAX,
} from '@zhiber/contract/api/limits.ts';
import { TEXT_LANGUAGES } from '@zhiber/contract/cabinet/fields.ts';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { codeText } from '@zhiber/contract/message/message-text.ts';
import { useRight } from '../../session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Optional } from '../../ui/controls/field.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { DomainField } from './domain-field.tsx';
import type { Draft } from './draft.ts';
import { ExpiryField } from './expiry-field.tsx';
import { MoreSettings } from './more-settings.tsx';

type FieldsProps = { draft: Draft; onSet: (edit: Partial<Draft>) => void };

const CODE_LENGTHS = Array.from({ length: CODE_LENGTH_MAX - CODE_LENGTH_MIN + 1 }, (_, extra) =>
  String(CODE_LENGTH_MIN + extra),
);
const SAMPLE_DIGITS = '48291357';
const RATE_MAX = 1_000_000;

const NUMBERS = {
  fallback_seconds: { min: FALLBACK_SECONDS_MIN, max: FALLBACK_SECONDS_MAX, required: true },
  code_ttl_seconds: { min: CODE_TTL_SECONDS_MIN, max: CODE_TTL_SECONDS_MAX, required: true },
  rate_per_minute: { min: 1, max: RATE_MAX, required: false },
  daily_cap: { min: 1, max: KEY_CAP_MAX, required: false },
  monthly_cap: { min: 1, max: KEY_CAP_MAX, required: false },
} as const;

export function NumberField(props: FieldsProps & { field: keyof typeof NUMBERS }) {
  const { field, draft, onSet } = props;
  const texts = useTexts().keys;
  const { min, max, required } = NUMBERS[field];
  return (
    <TextField
      type="number"
      name={field}
      label={required ? texts.fields[field] : <Optional label={texts.fields[field]} />}
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
        label={<Optional label={texts.fields.brand} />}
        value={draft.brand}
        maxLength={BRAND_LENGTH_MAX}
        autoComplete="off"
        onChange={(event) => onSet({ brand: event.currentTarget.value })}
      />
      <CodeSample draft={draft} />
    </div>
  );
}

/** The text as recipients get it, with a warning when it does not say who sends it. */
function CodeSample({ draft }: Pick<FieldsProps, 'draft'>) {
  const texts = useTexts().keys;
  const brand = draft.brand.trim() || null;
  const sender = { language: draft.language, brand, domain: null };
  const code = SAMPLE_DIGITS.slice(0, Number(draft.code_length));
  return (
    <div className="grid gap-1 text-sm">
      <p className="text-muted">{texts.brandShown}</p>
      <p
        lang={draft.language === 'kk' ? 'kk' : 'ru'}
        className="rounded-control bg-sunken px-3 py-2 break-words"
      >
        {codeText(sender, { channel: 'sms', code })}
      </p>
      {brand === null && <p className="text-warn">{texts.noBrand}</p>}
    </div>
  );
}

export function NameFields({ row, draft, onSet }: FieldsProps & { row: Key }) {
  const texts = useTexts().keys;
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        name="name"
        label={texts.fields.name}
        value={draft.name}
        required
        maxLength={200}
        autoComplete="off"
        onChange={(event) => onSet({ name: event.currentTarget.value })}
      />
      <ExpiryField value={draft.expires_at} onChange={(expires_at) => onSet({ expires_at })} />
      {row.mode === 'live' && (
        <>
          <NumberField field="daily_cap" draft={draft} onSet={onSet} />
          <NumberField field="monthly_cap" draft={draft} onSet={onSet} />
        </>
      )}
    </div>
  );
}

/** What few keys need, folded unless it is set. */
export function MoreFields({ row, draft, onSet }: FieldsProps & { row: Key }) {
  return (
    <MoreSettings isOpen={row.domain !== null || row.rate_per_minute !== null}>
      <NumberField field="rate_per_minute" draft={draft} onSet={onSet} />
      <DomainField value={draft.domain} onChange={(domain) => onSet({ domain })} />
      {row.domain !== null && <RefusedRequests id={row.id} />}
    </MoreSettings>
  );
}

/** Links to the request log: calls of this key that its domain refused. */
function RefusedRequests({ id }: { id: number }) {
  const texts = useTexts().keys;
  if (!useRight('requests.see')) return null;
  return (
    <p className="flex flex-wrap gap-x-3 text-sm">
      {texts.refusedRequests}
      {(['origin_not_allowed', 'origin_required'] as const).map((code) => (
        <Link
          key={code}
          to="/app/requests"
          search={{ key_id: String(id), error_code: code }}
          className="link"
        >
          {texts.refusals[code]}
        </Link>
      ))}
    </p>
  );
}
