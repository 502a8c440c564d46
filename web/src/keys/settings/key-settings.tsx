import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { useState } from 'react';
import { useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Card } from '../../ui/display/card.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { type ChannelFacts, ChannelOrderField } from '../channels/channel-order-field.tsx';
import { changedFields, type Draft, draftOf, settingsOf } from './draft.ts';
import { SaveBar } from './save-bar.tsx';
import { CodeFields, MoreFields, NameFields, NumberField } from './settings-fields.tsx';
import { UnsavedGuard } from './unsaved-guard.tsx';

/** One form for all settings of a key. Changes are listed before they are saved. */
export function KeySettings({ row, facts }: { row: Key; facts: ChannelFacts }) {
  const texts = useTexts().keys;
  const { showToast } = useToasts();
  const change = useAction('changeKey', { invalidates: ['keys'] });
  const [edits, setEdits] = useState<Partial<Draft>>({});
  /** A React key: it changes when edits are discarded, which resets the channel order. */
  const [resetCount, setResetCount] = useState(0);
  const before = draftOf(row);
  const draft = { ...before, ...edits };
  const changed = changedFields(before, draft);
  const isReadOnly = !useRight('keys.change') || row.state === 'revoked';
  const set = (edit: Partial<Draft>) => setEdits((others) => ({ ...others, ...edit }));
  const discard = () => {
    setEdits({});
    setResetCount(resetCount + 1);
    change.reset();
  };
  const finish = () => {
    setEdits({});
    showToast(texts.saved);
  };
  return (
    <Form
      error={change.error}
      onSubmit={() =>
        change.mutate({ params: { id: row.id }, body: settingsOf(draft) }, { onSuccess: finish })
      }
    >
      <fieldset disabled={isReadOnly} className="grid items-start gap-4 xl:grid-cols-2">
        <Card title={texts.cards.channels}>
          <div className="grid gap-4">
            <ChannelOrderField
              key={resetCount}
              facts={facts}
              mode={row.mode}
              fallbackSeconds={Number(draft.fallback_seconds)}
              initial={row.channels}
              onChange={(channels) => set({ channels })}
              isDisabled={isReadOnly}
            />
            <NumberField field="fallback_seconds" draft={draft} onSet={set} />
          </div>
        </Card>
        <Card title={texts.cards.code}>
          <CodeFields draft={draft} onSet={set} />
        </Card>
        <Card title={texts.cards.key} className="xl:col-span-2">
          <div className="grid gap-5">
            <NameFields key={`name-${resetCount}`} row={row} draft={draft} onSet={set} />
            <MoreFields key={`more-${resetCount}`} row={row} draft={draft} onSet={set} />
          </div>
        </Card>
      </fieldset>
      {changed.length > 0 && (
        <SaveBar
          changed={changed}
          before={before}
          after={draft}
          prices={row.mode === 'test' ? null : facts.prices}
          isBusy={change.isPending}
          onDrop={discard}
        />
      )}
      <UnsavedGuard isDirty={changed.length > 0} />
    </Form>
  );
}
