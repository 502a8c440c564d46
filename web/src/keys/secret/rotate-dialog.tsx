import { OVERLAP_HOURS } from '@zhiber/contract/api/limits.ts';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { useAction } from '../../queries.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form, FormActions } from '../../ui/controls/form.tsx';
import { RadioGroup } from '../../ui/controls/radio-group.tsx';
import { RevealDialog } from '../../ui/secret/reveal-dialog.tsx';

/** Long enough to deploy the new key everywhere within a working day. */
const OVERLAP_DEFAULT = '24';

/** Gives a key a new secret. The settings stay, and the old secret may work for an overlap. */
export function RotateDialog({ row, onClose }: { row: Key; onClose: () => void }) {
  const texts = useTexts().keys.rotate;
  const rotate = useAction('rotateKey', { invalidates: ['keys'], isSecret: true });
  const close = () => {
    rotate.reset();
    onClose();
  };
  return (
    <RevealDialog
      title={texts.title(row.name)}
      revealedTitle={texts.done}
      secret={rotate.data && { id: row.id, key: rotate.data.key, mode: row.mode }}
      onClose={close}
    >
      <Form
        error={rotate.error}
        onSubmit={(values) => {
          const chosen = OVERLAP_HOURS.find(
            (hours) => String(hours) === values.text('overlap_hours'),
          );
          rotate.mutate({ params: { id: row.id }, body: { overlap_hours: chosen ?? 0 } });
        }}
      >
        <p className="text-table text-muted">{texts.lead}</p>
        <RadioGroup
          name="overlap_hours"
          label={texts.overlap}
          defaultValue={OVERLAP_DEFAULT}
          options={OVERLAP_HOURS.map((hours) => ({
            value: String(hours),
            label: texts.overlaps[hours],
          }))}
        />
        {row.state === 'rotating' && <p className="text-table text-warn">{texts.again}</p>}
        <FormActions>
          <Button type="submit" look="primary" isBusy={rotate.isPending}>
            {texts.submit}
          </Button>
        </FormActions>
      </Form>
    </RevealDialog>
  );
}
