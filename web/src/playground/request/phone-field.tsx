import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { useShortcut } from '../../ui/overlays/shortcuts.tsx';
import { QUICK_SCENARIOS, SCENARIOS } from '../scenarios.ts';
import type { RequestProps } from './draft.ts';
import { scenarioOf } from './fields.ts';
import { KeyCap } from './key-cap.tsx';

/** The number, and the scenarios that numbers stand for with a test key. */
export function PhoneField({ apiKey, facts: { ownPhone }, fields, onSet }: RequestProps) {
  const texts = useTexts().playground;
  const isTest = apiKey.mode === 'test';
  const scenario = isTest ? scenarioOf(fields.phone) : undefined;
  const choose = (phone: string) => onSet({ phone });
  return (
    <div className="grid gap-2">
      <div
        className={isTest ? 'grid gap-3 @xs:grid-cols-[minmax(0,11.5rem)_minmax(0,1fr)]' : 'grid'}
      >
        <TextField
          type="tel"
          name="phone"
          label={texts.phone}
          value={fields.phone}
          placeholder="+7 701 123-45-67"
          maxLength={40}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        {isTest && (
          <SelectField
            name="scenario"
            label={texts.scenario}
            className="text-table text-ellipsis"
            value={scenario?.phone ?? ''}
            options={[
              ...SCENARIOS.map(({ id, phone }) => ({ value: phone, label: texts.scenarios[id] })),
              { value: '' as const, label: texts.ownNumber },
            ]}
            onChoose={(phone) => phone !== '' && choose(phone)}
          />
        )}
      </div>
      {isTest && <QuickScenarios chosenId={scenario?.id} onChoose={choose} />}
      {ownPhone !== null && <OwnNumber phone={ownPhone} onChoose={choose} />}
    </div>
  );
}

function OwnNumber({ phone, onChoose }: { phone: string; onChoose: (phone: string) => void }) {
  const texts = useTexts().playground;
  const format = useFormat();
  return (
    <div>
      <Button className="text-sm" title={format.phone(phone)} onClick={() => onChoose(phone)}>
        {texts.myNumber}
      </Button>
    </div>
  );
}

function QuickScenarios(props: {
  chosenId: string | undefined;
  onChoose: (phone: string) => void;
}) {
  const texts = useTexts().playground;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset inside the form would be announced as one more question.
    <div role="group" aria-label={texts.quickGroup} className="grid grid-cols-2 gap-1.5">
      {QUICK_SCENARIOS.map(({ id, phone }, index) => (
        <QuickScenario
          key={id}
          digit={String(index + 1)}
          label={texts.quick[id]}
          isChosen={props.chosenId === id}
          onChoose={() => props.onChoose(phone)}
        />
      ))}
    </div>
  );
}

function QuickScenario(props: {
  digit: string;
  label: string;
  isChosen: boolean;
  onChoose: () => void;
}) {
  const { digit, label, isChosen, onChoose } = props;
  useShortcut(digit, label, onChoose);
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      aria-keyshortcuts={digit}
      className="target flex items-center gap-2 rounded-control border border-hairline px-2 text-start text-sm leading-tight hover:bg-sunken aria-pressed:border-brand aria-pressed:text-brand"
      onClick={onChoose}
    >
      <KeyCap>{digit}</KeyCap>
      {label}
    </button>
  );
}
