import { useState } from 'react';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { optionsOf, Segments } from '../../ui/controls/segments.tsx';
import { Card } from '../../ui/display/card.tsx';
import { SampleButton } from '../empty-broadcasts.tsx';
import { ColumnChoice } from './column-choice.tsx';
import { FileDrop } from './file-drop.tsx';
import { ListChoice } from './list-choice.tsx';
import { PasteForm } from './paste-form.tsx';
import { StepFrame, type StepProps } from './step-frame.tsx';
import { useUpload } from './use-upload.ts';

type Source = 'file' | 'text' | 'list';

/** Where the recipients come from, and which column has their phones. */
export function RecipientsStep({ draft, goTo }: StepProps) {
  const texts = useBroadcastTexts();
  const { rows } = draft.broadcast;
  const hasRows = rows.state !== 'none' && rows.state !== 'reading';
  const [isReplacing, setReplacing] = useState(false);
  const [source, setSource] = useState<Source>('file');
  const upload = useUpload(draft, () => setReplacing(false));
  const isReading = upload.isPending || rows.state === 'reading';
  return (
    <StepFrame step="recipients" next={null}>
      {isReading ? (
        <Reading rows={rows.rows} onCancel={upload.isPending ? upload.cancel : undefined} />
      ) : hasRows && !isReplacing ? (
        <>
          <RowsSource draft={draft} onReplace={() => setReplacing(true)} />
          <ColumnChoice key={`${rows.source_name} ${rows.rows}`} draft={draft} goTo={goTo} />
        </>
      ) : (
        <Card>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <Segments
              label={texts.source}
              options={optionsOf(texts.sources)}
              value={source}
              onChoose={setSource}
            />
            {source === 'file' && <FileDrop error={upload.error} onFile={upload.file} />}
            {source === 'text' && <PasteForm error={upload.error} onText={upload.text} />}
            {source === 'list' && <ListChoice error={upload.error} onList={upload.list} />}
            <div className="flex flex-wrap gap-2 border-t border-hairline pt-4">
              <SampleButton />
              {hasRows && (
                <Button look="quiet" onClick={() => setReplacing(false)}>
                  {texts.keepRows}
                </Button>
              )}
            </div>
          </div>
        </Card>
      )}
    </StepFrame>
  );
}

/** Counts the rows while they are read; a wrong file need not be waited for. */
function Reading({ rows, onCancel }: { rows: number; onCancel: (() => void) | undefined }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="grid">
          <strong className="font-medium">{texts.reading}</strong>
          <span className="text-table text-muted">{texts.rowsSoFar(rows, format.number)}</span>
        </p>
        {onCancel !== undefined && <Button onClick={onCancel}>{texts.cancelReading}</Button>}
      </div>
      <div aria-hidden="true" className="mt-3 h-0.5 overflow-hidden rounded-full bg-hairline">
        <div className="h-full w-1/4 animate-[slide_1s_linear_infinite] bg-brand" />
      </div>
    </Card>
  );
}

function RowsSource({ draft, onReplace }: Pick<StepProps, 'draft'> & { onReplace: () => void }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  const { rows } = draft.broadcast;
  const source = rows.source === null ? undefined : texts.loadedFrom[rows.source];
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 text-table">
          <strong className="font-medium wrap-anywhere">{rows.source_name ?? source}</strong>
          <span className="block text-muted">
            {rows.source_name !== null && source !== undefined && `${source} · `}
            {texts.rows(rows.rows, format.number)}
          </span>
        </p>
        <Button onClick={onReplace}>{texts.replaceRows}</Button>
      </div>
    </Card>
  );
}
