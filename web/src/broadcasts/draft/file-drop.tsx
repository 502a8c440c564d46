import {
  RECIPIENT_FILE_BYTES_MAX,
  RECIPIENTS_MAX,
} from '@zhiber/contract/cabinet/broadcast-words.ts';
import { useId } from 'react';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { DropArea } from '../../ui/controls/drop-area.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { FileTooLarge } from './use-upload.ts';

const MEGABYTE = 1_048_576;

/** The file of recipients, which is sent as soon as it is chosen. */
export function FileDrop({ error, onFile }: { error: Error | null; onFile: (file: File) => void }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const hintId = useId();
  return (
    <div className="grid gap-2">
      <DropArea
        title={texts.dropFile}
        accept=".csv,.txt,.tsv,.xlsx"
        describedBy={hintId}
        onFile={onFile}
      />
      <p id={hintId} className="text-sm text-muted">
        {texts.fileHint(
          format.number(RECIPIENTS_MAX),
          format.number(RECIPIENT_FILE_BYTES_MAX / MEGABYTE),
        )}
      </p>
      {error instanceof FileTooLarge ? (
        <p role="alert" className="text-sm text-bad">
          {texts.fileTooLarge(format.number(RECIPIENT_FILE_BYTES_MAX / MEGABYTE))}
        </p>
      ) : (
        <Refusal error={error} />
      )}
    </div>
  );
}
