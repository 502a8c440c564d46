import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fromAlmatyInput, toAlmatyInput } from '../design/format/almaty-input.ts';
import { queryOf, useAction } from '../queries.ts';
import { useWebhookTexts } from '../texts/use-webhook-texts.ts';
import { RadioGroup } from '../ui/controls/radio-group.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { ActDialog } from '../ui/overlays/act-dialog.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { useCountText } from './webhook-notices.tsx';

const KINDS = ['failed', 'missed', 'all'] as const;
const DAY_MS = 24 * 3_600_000;

/** What sending again changes on the page. */
export const REPLAY_CHANGES = ['webhookDeliveries', 'webhookDelivery', 'webhook'] as const;

/** Sends events since a time again, after saying how many. */
export function ReplayDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const texts = useWebhookTexts();
  const countText = useCountText();
  const { showToast } = useToasts();
  const [which, setWhich] = useState<(typeof KINDS)[number]>('failed');
  const [since, setSince] = useState(() => toAlmatyInput(Date.now() - DAY_MS));
  const instant = fromAlmatyInput(since);
  const count = useQuery({
    ...queryOf('countReplay', { params: { id }, query: { which, since: instant ?? '' } }),
    enabled: instant !== undefined,
  });
  const replay = useAction('replayWebhook', { invalidates: REPLAY_CHANGES });
  const found = count.isPlaceholderData ? undefined : count.data?.count;
  return (
    <ActDialog
      title={texts.replay.title}
      action={texts.replay.submit}
      isDisabled={instant === undefined || found === undefined || found === 0}
      state={{ isPending: replay.isPending, error: replay.error ?? count.error }}
      onSubmit={() => {
        if (instant === undefined) return;
        replay.mutate(
          { params: { id }, body: { which, since: instant } },
          {
            onSuccess: ({ replayed }) => {
              showToast(texts.delivery.replayed(replayed, countText(replayed)));
              onClose();
            },
          },
        );
      }}
      onClose={onClose}
    >
      <RadioGroup
        name="which"
        label={texts.replay.which}
        value={which}
        onChoose={setWhich}
        options={KINDS.map((value) => ({ value, label: texts.replay.kinds[value] }))}
      />
      <TextField
        type="datetime-local"
        name="since"
        label={texts.replay.since}
        value={since}
        required
        onChange={(event) => setSince(event.currentTarget.value)}
      />
      <p role="status" className="min-h-6 text-table font-medium">
        {found !== undefined &&
          (found === 0 ? texts.replay.nothing : texts.replay.count(found, countText(found)))}
      </p>
      <p className="text-table text-muted">{texts.replay.note}</p>
    </ActDialog>
  );
}
