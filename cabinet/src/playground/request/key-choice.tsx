import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';

export function KeyChoice(props: {
  keys: readonly Key[];
  chosen: Key;
  onChoose: (id: number) => void;
}) {
  const texts = useTexts();
  return (
    <SelectField
      name="key_id"
      label={texts.playground.key}
      value={String(props.chosen.id)}
      options={props.keys.map(({ id, name, mode, shown }) => ({
        value: String(id),
        label: `${texts.ui.modes[mode]} · ${name} · ${shown}`,
      }))}
      onChoose={(id) => props.onChoose(Number(id))}
    />
  );
}
