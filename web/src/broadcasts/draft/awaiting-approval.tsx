import { Check, Undo2 } from 'lucide-react';
import { useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Page } from '../../ui/display/page.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { BroadcastState } from '../broadcast-state.tsx';
import { Summary } from './summary-step.tsx';
import { type Draft, isConflict } from './use-draft.ts';

const STALE = ['broadcast', 'broadcasts', 'session'] as const;

/** A draft that a second person looks at. Until then nobody changes it. */
export function AwaitingApproval({ draft }: { draft: Draft }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const canChange = useRight('broadcasts.change');
  const { broadcast } = draft;
  const { recipients, version } = broadcast;
  const approve = useAction('approveBroadcast', { invalidates: STALE });
  const withdraw = useAction('withdrawBroadcast', { invalidates: STALE });
  const params = { id: draft.id };
  return (
    <Page title={broadcast.name} lead={<BroadcastState broadcast={broadcast} />}>
      <p className="max-w-prose text-table">
        {broadcast.can_approve ? texts.youMayApprove : texts.waitsForAnother}
      </p>
      <Summary broadcast={broadcast} />
      <div className="flex flex-wrap gap-3">
        {broadcast.can_approve && (
          <Button
            look="primary"
            icon={<Check aria-hidden="true" size={16} />}
            isBusy={approve.isPending}
            onClick={() => approve.mutate({ params, body: { recipients, version } })}
          >
            {texts.approve(recipients, format.number)}
          </Button>
        )}
        {canChange && (
          <Button
            icon={<Undo2 aria-hidden="true" size={16} />}
            isBusy={withdraw.isPending}
            onClick={() => withdraw.mutate({ params }, { onSuccess: () => void draft.reload() })}
          >
            {texts.withdraw}
          </Button>
        )}
        <Refusal error={approve.error ?? withdraw.error} />
        {isConflict(approve.error) && (
          <Button
            onClick={() => {
              approve.reset();
              void draft.reload();
            }}
          >
            {texts.conflictReload}
          </Button>
        )}
      </div>
    </Page>
  );
}
