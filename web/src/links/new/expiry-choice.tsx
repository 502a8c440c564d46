import { LINK_TTL_SECONDS_MAX } from '@zhiber/contract/api/limits.ts';
import { addDays, dayOf } from '../../design/format/almaty-day.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { RadioGroup } from '../../ui/controls/radio-group.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import type { Expiry } from './expiry.ts';

const DAYS_MAX = LINK_TTL_SECONDS_MAX / 86_400 - 1;

/** How long a link works; `same` is for one that has an expiry. The field of a day is named `day`. */
export function ExpiryChoice<Choice extends Expiry | 'same'>(props: {
  options: readonly Choice[];
  expiry: Choice;
  onChoose: (expiry: Choice) => void;
}) {
  const texts = useTexts().links;
  const words = { same: texts.sameExpiry, ...texts.expiries };
  const today = dayOf(Date.now());
  return (
    <div className="grid gap-3">
      <RadioGroup
        name="expiry"
        label={texts.expiry}
        isInline
        options={props.options.map((value) => ({ value, label: words[value] }))}
        value={props.expiry}
        onChoose={props.onChoose}
      />
      {props.expiry === 'date' && (
        <div className="max-w-56">
          <TextField
            name="day"
            type="date"
            label={texts.expiryDay}
            hint={texts.expiryDayHint}
            min={today}
            max={addDays(today, DAYS_MAX)}
            required
          />
        </div>
      )}
    </div>
  );
}
