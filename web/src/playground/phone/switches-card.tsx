import type { Switches } from '@zhiber/contract/try.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { SwitchField } from '../../ui/controls/tick-field.tsx';

const NAMES = ['no_whatsapp', 'no_telegram', 'offline', 'not_mobile'] as const;

/** Faults of the phone that make a channel refuse or stay silent. */
export function SwitchesCard(props: {
  switches: Switches | undefined;
  onChange: (name: keyof Switches, isOn: boolean) => void;
}) {
  const { switches, onChange } = props;
  const texts = useTexts().playground;
  const hints: Partial<Record<keyof Switches, string>> = texts.switchHints;
  return (
    <fieldset className="min-w-0 rounded-card border border-hairline bg-surface px-4 pt-3 pb-2">
      <legend className="float-start mb-1 w-full text-base font-semibold">
        {texts.interference}
      </legend>
      {NAMES.map((name) => (
        <div key={name} className="clear-both py-0.5">
          <SwitchField
            name={name}
            label={
              <>
                {texts.switches[name]}
                {hints[name] !== undefined && (
                  <small className="block text-sm leading-tight text-muted">{hints[name]}</small>
                )}
              </>
            }
            checked={switches?.[name] ?? false}
            disabled={switches === undefined}
            onChange={(event) => onChange(name, event.currentTarget.checked)}
          />
        </div>
      ))}
    </fieldset>
  );
}
