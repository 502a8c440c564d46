import { FileUp } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import { classes } from '../classes.ts';

/** A file is dropped here, or chosen: the whole area is the label of the field. */
export function DropArea(props: {
  /** What to do, or the name of the file that was chosen. */
  title: string;
  /** The name of the field, where it has one of its own above. */
  labelledBy?: string;
  describedBy?: string;
  accept: string;
  onFile: (file: File) => void;
}) {
  const { title, labelledBy, describedBy, accept, onFile } = props;
  const titleId = useId();
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
      <span id={titleId} className="font-medium wrap-anywhere">
        {title}
      </span>
      <input
        type="file"
        accept={accept}
        aria-labelledby={labelledBy ?? titleId}
        aria-describedby={classes(labelledBy !== undefined && titleId, describedBy) || undefined}
        className="absolute inset-0 opacity-0"
        onChange={(event) => {
          take(event.currentTarget.files);
          // The same file can be chosen again after it was mended.
          event.currentTarget.value = '';
        }}
      />
    </label>
  );
}
