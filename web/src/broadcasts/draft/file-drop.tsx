import {
  RECIPIENT_FILE_BYTES_MAX,
  RECIPIENTS_MAX,
} from '@zhiber/contract/cabinet/broadcast-words.ts';
import { FileUp } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { Refusal } from '../../ui/display/refusal.tsx';
import { FileTooLarge } from './use-upload.ts';

const MEGABYTE = 1_048_576;

/** A file is dropped here, or chosen: the whole area is the label of the field. */
export function FileDrop({ error, onFile }: { error: Error | null; onFile: (file: File) => void }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const hintId = useId();
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <div className="grid gap-2">
      <label
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classes(
          'relative grid justify-items-center gap-2 rounded-card border border-dashed px-4 py-10 text-center',
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-brand',
          isOver ? 'border-brand bg-sunken' : 'border-border hover:bg-sunken',
        )}
      >
        <FileUp aria-hidden="true" size={28} className="text-faint" />
        <span className="font-medium">{texts.dropFile}</span>
        <input
          type="file"
          accept=".csv,.txt,.tsv,.xlsx"
          aria-describedby={hintId}
          className="absolute inset-0 opacity-0"
          onChange={(event) => {
            take(event.currentTarget.files);
            // The same file can be chosen again after it was mended.
            event.currentTarget.value = '';
          }}
        />
      </label>
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
