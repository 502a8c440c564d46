import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Segments } from '../../ui/controls/segments.tsx';
import { SelectField } from '../../ui/controls/select-field.tsx';

/** The keys of a company. */
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

/** The two keys of `/try`. */
export function ModeChoice(props: { mode: Key['mode']; onChoose: (mode: Key['mode']) => void }) {
  const texts = useTexts().playground;
  const { keys, testHint } = texts.tryPage;
  return (
    <div className="grid gap-1">
      <Segments
        label={texts.key}
        isLabelHidden
        isWide
        value={props.mode}
        options={(['test', 'live'] as const).map((value) => ({ value, label: keys[value] }))}
        onChoose={props.onChoose}
      />
      {props.mode === 'test' && <p className="text-sm text-muted">{testHint}</p>}
    </div>
  );
}
