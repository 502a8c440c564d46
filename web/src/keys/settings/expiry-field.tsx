import { KEY_EXPIRY_DAYS_MAX } from '@zhiber/contract/api/limits.ts';
import { useState } from 'react';
import { addDays, dayOf } from '../../design/format/almaty-day.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { endInDays, endOfDay, lastDayOf } from './expiry.ts';

const CHOICES = ['never', '30', '90', 'date'] as const;
type Choice = (typeof CHOICES)[number];

/** When a key ends: never, in some days, or at the end of a day. The value is an instant, or empty. */
export function ExpiryField(props: { value: string; onChange: (end: string) => void }) {
  const { value, onChange } = props;
  const texts = useTexts().keys.expiry;
  const format = useFormat();
  const [choice, setChoice] = useState<Choice>(value === '' ? 'never' : 'date');
  // Discarded edits and a saved value come from outside.
  const shown = value === '' && choice !== 'date' ? 'never' : choice === 'never' ? 'date' : choice;
  const choose = (chosen: Choice) => {
    setChoice(chosen);
    if (chosen === 'never') onChange('');
    else if (chosen !== 'date') onChange(endInDays(Number(chosen), Date.now()));
  };
  const today = dayOf(Date.now());
  return (
    <div className="grid gap-3">
      <SelectField
        name="expires_at"
        label={texts.label}
        hint={value === '' ? undefined : texts.hint(format.timeToMinute(value))}
        value={shown}
        options={CHOICES.map((one) => ({ value: one, label: texts.choices[one] }))}
        onChoose={choose}
      />
      {shown === 'date' && (
        <TextField
          name="expiry_day"
          type="date"
          label={texts.day}
          value={value === '' ? '' : lastDayOf(value)}
          min={today}
          max={addDays(today, KEY_EXPIRY_DAYS_MAX - 1)}
          required
          onChange={(event) => onChange(endOfDay(event.currentTarget.value) ?? '')}
        />
      )}
    </div>
  );
}
