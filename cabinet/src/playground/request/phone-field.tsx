import {
  QUICK_SCENARIOS,
  SCENARIOS,
} from '../../../../server/src/http/pages/assets/client/scenarios.ts';
import { useSession } from '../../session.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { useShortcut } from '../../ui/overlays/shortcuts.tsx';
import { scenarioOf } from './fields.ts';
import type { RequestProps } from './request-card.tsx';

const QUICK = QUICK_SCENARIOS.map((id) => SCENARIOS.find((scenario) => scenario.id === id)).filter(
  (scenario) => scenario !== undefined,
);

/** The number, and the scenarios that numbers stand for with a test key. */
export function PhoneField({ row, fields, onSet }: RequestProps) {
  const texts = useTexts().playground;
  const isTest = row.mode === 'test';
  const scenario = isTest ? scenarioOf(fields.phone) : undefined;
  return (
    <div className="grid gap-2">
      <div className={isTest ? 'grid gap-4 sm:grid-cols-[2fr_3fr]' : 'grid'}>
        <TextField
          type="tel"
          name="phone"
          label={texts.phone}
          value={fields.phone}
          placeholder="+7 701 123-45-67"
          maxLength={40}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onSet({ phone: event.currentTarget.value })}
        />
        {isTest && (
          <SelectField
            name="scenario"
            label={texts.scenario}
            value={scenario?.phone ?? ''}
            options={[
              ...SCENARIOS.map(({ id, phone }) => ({ value: phone, label: texts.scenarios[id] })),
              { value: '' as const, label: texts.ownNumber },
            ]}
            onChoose={(phone) => onSet({ phone })}
          />
        )}
      </div>
      <div className="flex flex-wrap gap-1.5">
        <OwnNumber onChoose={(phone) => onSet({ phone })} />
        {isTest &&
          QUICK.map(({ id, phone }, place) => (
            <QuickScenario
              key={id}
              digit={String(place + 1)}
              label={texts.quick[id as (typeof QUICK_SCENARIOS)[number]]}
              isChosen={scenario?.id === id}
              onChoose={() => onSet({ phone })}
            />
          ))}
      </div>
    </div>
  );
}

function OwnNumber({ onChoose }: { onChoose: (phone: string) => void }) {
  const texts = useTexts().playground;
  const format = useFormat();
  const { phone } = useSession().person;
  if (phone === null) return null;
  return (
    <Button className="text-sm" title={format.phone(phone)} onClick={() => onChoose(phone)}>
      {texts.myNumber}
    </Button>
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
    <Button
      aria-pressed={isChosen}
      className="text-sm aria-pressed:border-brand aria-pressed:text-brand"
      onClick={onChoose}
    >
      <span aria-hidden="true" className="font-mono text-muted">
        {digit}
      </span>
      {label}
    </Button>
  );
}
