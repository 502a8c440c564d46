import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Smartphone } from 'lucide-react';
import { call } from '../call.ts';
import { invalidate } from '../queries.ts';
import { useRight, useSession } from '../session.ts';
import { useBroadcastTexts } from '../texts/use-broadcast-texts.ts';
import { Button } from '../ui/controls/button.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Refusal } from '../ui/display/refusal.tsx';
import { saveFile } from '../ui/save-file.ts';
import { sampleFile } from './sample-file.ts';

/** Before the first broadcast: a file to begin with, and a try that reaches nobody else. */
export function EmptyBroadcasts() {
  const texts = useBroadcastTexts();
  const canChange = useRight('broadcasts.change');
  const toMyself = useBroadcastToMyself();
  return (
    <EmptyState
      kind="first-use"
      title={texts.none}
      action={
        canChange && (
          <div className="flex flex-wrap justify-center gap-2">
            <SampleButton />
            {toMyself.canStart && (
              <Button
                icon={<Smartphone aria-hidden="true" size={16} />}
                isBusy={toMyself.isPending}
                onClick={toMyself.start}
              >
                {texts.toMyself}
              </Button>
            )}
            <Refusal error={toMyself.error} />
          </div>
        )
      }
    >
      {texts.noneNote}
    </EmptyState>
  );
}

export function SampleButton() {
  const texts = useBroadcastTexts();
  return (
    <Button
      icon={<Download aria-hidden="true" size={16} />}
      onClick={() => saveFile(texts.sampleName, sampleFile(texts.sampleRows))}
    >
      {texts.sample}
    </Button>
  );
}

/** A draft whose only recipient is the person who makes it, opened at its text. */
function useBroadcastToMyself() {
  const texts = useBroadcastTexts();
  const { person } = useSession();
  const navigate = useNavigate();
  const { phone } = person;
  const create = useMutation({
    mutationFn: async () => {
      const [headings = []] = texts.sampleRows;
      const columns = headings.slice(0, 2);
      const name = person.name.replaceAll(/[;"\r\n]/g, ' ');
      const file = sampleFile([columns, [phone ?? '', name]]);
      const { id } = await call('createBroadcast', { body: { name: texts.toMyself } });
      await call('uploadRows', {
        params: { id },
        query: { name: texts.toMyself, source: 'text' },
        file,
      });
      await call('chooseColumns', {
        params: { id },
        body: { phone: 1, consent: null, names: [...columns] },
      });
      return id;
    },
    onSuccess: (id) => {
      invalidate(['broadcasts']);
      void navigate({ to: '/app/broadcasts/$id', params: { id }, search: { step: '3' } });
    },
  });
  return {
    canStart: phone !== null,
    isPending: create.isPending,
    error: create.error,
    start: () => create.mutate(),
  };
}
