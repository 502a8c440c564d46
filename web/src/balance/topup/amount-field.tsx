import { TOPUP_CHIPS } from '@zhiber/contract/cabinet/topups.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { TextField } from '../../ui/controls/text-field.tsx';
import { digitsOf, problemOf } from './amount.ts';

/** The common amounts as buttons, and any other one by hand. */
export function AmountField(props: {
  amount: number;
  limits: { min: number; max: number };
  /** From the first time that the field was left: nobody is corrected while typing. */
  isChecked: boolean;
  onChange: (amount: number) => void;
  onLeave: () => void;
}) {
  const { amount, limits, isChecked, onChange, onLeave } = props;
  const texts = useTexts().topup;
  const format = useFormat();
  const [min, max] = [format.money(limits.min), format.money(limits.max)];
  const problem = problemOf(amount, limits);
  const errors = { tooLittle: texts.tooLittle(min), tooMuch: texts.tooMuch(max) };
  const chips = TOPUP_CHIPS.filter((chip) => problemOf(chip, limits) === undefined);
  return (
    <div className="grid gap-3">
      <fieldset>
        <legend className="sr-only">{texts.chips}</legend>
        <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
          {chips.map((chip) => (
            <button
              key={chip}
              type="button"
              aria-pressed={chip === amount}
              className={classes(
                'target rounded-control border px-3 text-table font-medium whitespace-nowrap',
                chip === amount
                  ? 'border-brand bg-info-tint text-info'
                  : 'border-border hover:bg-sunken',
              )}
              onClick={() => onChange(chip)}
            >
              {format.money(chip)}
            </button>
          ))}
        </div>
      </fieldset>
      <TextField
        name="amount"
        label={texts.amount}
        hint={texts.amountHint(min, max)}
        error={isChecked && problem !== undefined ? errors[problem] : undefined}
        inputMode="numeric"
        autoComplete="off"
        className="text-xl font-semibold"
        // Not grouped: a value that changes under the cursor moves it.
        value={amount === 0 ? '' : String(amount)}
        onChange={({ currentTarget: { value } }) => onChange(Number(digitsOf(value)))}
        onBlur={onLeave}
        required
      />
    </div>
  );
}
