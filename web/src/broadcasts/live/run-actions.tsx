import type { Broadcast } from '@zhiber/contract/cabinet/broadcasts.ts';
import { CircleStop, Pause, Play, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../../queries.ts';
import { useProgressTexts } from '../../texts/use-progress-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';

const INVALIDATED = ['broadcast', 'broadcasts', 'results'] as const;
/** On a phone one thing matters: to stop in time. */
const BIG_ON_PHONES = 'max-sm:min-h-14 max-sm:w-full max-sm:text-base';

/** What can be done with a broadcast in its state. */
export function RunActions({ broadcast }: { broadcast: Broadcast }) {
  const { state, pause_reason: reason } = broadcast;
  return (
    <div className="flex w-full flex-wrap gap-2">
      {state === 'running' && <PauseButton id={broadcast.id} />}
      {state === 'paused' && reason !== 'operator' && <ResumeButton id={broadcast.id} />}
      {state === 'scheduled' && <WithdrawButton id={broadcast.id} />}
      {(state === 'running' || state === 'paused') && <CancelButton broadcast={broadcast} />}
    </div>
  );
}

function PauseButton({ id }: { id: string }) {
  const texts = useProgressTexts();
  const format = useFormat();
  const { showToast } = useToasts();
  const pause = useAction('pauseBroadcast', { invalidates: INVALIDATED });
  return (
    <>
      <Button
        look="primary"
        className={BIG_ON_PHONES}
        icon={<Pause aria-hidden="true" size={18} />}
        isBusy={pause.isPending}
        onClick={() =>
          pause.mutate(
            { params: { id } },
            {
              onSuccess: ({ with_channels: count }) =>
                showToast(texts.paused(count, format.number(count))),
            },
          )
        }
      >
        {texts.pause}
      </Button>
      <Refusal error={pause.error} />
    </>
  );
}

function ResumeButton({ id }: { id: string }) {
  const texts = useProgressTexts();
  const { showToast } = useToasts();
  const resume = useAction('resumeBroadcast', { invalidates: INVALIDATED });
  return (
    <>
      <Button
        look="primary"
        className={BIG_ON_PHONES}
        icon={<Play aria-hidden="true" size={18} />}
        isBusy={resume.isPending}
        onClick={() =>
          resume.mutate({ params: { id } }, { onSuccess: () => showToast(texts.resumed) })
        }
      >
        {texts.resume}
      </Button>
      <Refusal error={resume.error} />
    </>
  );
}

function WithdrawButton({ id }: { id: string }) {
  const texts = useProgressTexts();
  const withdraw = useAction('withdrawBroadcast', { invalidates: INVALIDATED });
  return (
    <>
      <Button
        className={BIG_ON_PHONES}
        icon={<Undo2 aria-hidden="true" size={18} />}
        isBusy={withdraw.isPending}
        onClick={() => withdraw.mutate({ params: { id } })}
      >
        {texts.withdraw}
      </Button>
      <Refusal error={withdraw.error} />
    </>
  );
}

function CancelButton({ broadcast }: { broadcast: Broadcast }) {
  const { id, name, held } = broadcast;
  const texts = useProgressTexts();
  const format = useFormat();
  const { showToast } = useToasts();
  const [isAsking, setAsking] = useState(false);
  const cancel = useAction('cancelBroadcast', { invalidates: INVALIDATED });
  const left = broadcast.progress?.outcomes.waiting ?? broadcast.recipients;
  return (
    <>
      <Button
        look="danger"
        className="max-sm:w-full"
        icon={<CircleStop aria-hidden="true" size={18} />}
        onClick={() => setAsking(true)}
      >
        {texts.cancel}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.cancelTitle}
          action={texts.cancel}
          typeToConfirm={name}
          state={cancel}
          onClose={() => setAsking(false)}
          onConfirm={() =>
            cancel.mutate(
              { params: { id }, body: { name } },
              {
                onSuccess: () => {
                  setAsking(false);
                  showToast(texts.cancelled);
                },
              },
            )
          }
        >
          <p>{texts.cancelNote(format.number(left), format.money(held))}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
