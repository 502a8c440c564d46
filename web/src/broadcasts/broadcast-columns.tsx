import type { BroadcastRow } from '@zhiber/contract/cabinet/broadcasts.ts';
import { type LucideIcon, Pause, Play } from 'lucide-react';
import { CallError } from '../call-error.ts';
import { useAction } from '../queries.ts';
import { useRight } from '../session.ts';
import { useBroadcastTexts } from '../texts/use-broadcast-texts.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Time } from '../ui/display/time.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import type { Column } from '../ui/table/data-table.tsx';
import { BroadcastState } from './broadcast-state.tsx';
import { percentOf, progressFigures } from './progress.ts';
import { ProgressBar } from './progress-bar.tsx';

export function useBroadcastColumns(): Column<BroadcastRow>[] {
  const texts = useBroadcastTexts();
  const canChange = useRight('broadcasts.change');
  const columns: Column<BroadcastRow>[] = [
    {
      id: 'name',
      title: texts.columns.name,
      cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
      className: 'sm:min-w-40',
    },
    { id: 'state', title: texts.columns.state, cell: (row) => <State row={row} /> },
    {
      id: 'progress',
      title: texts.columns.progress,
      cell: (row) => <RowProgress row={row} />,
    },
    {
      id: 'delivered',
      title: texts.columns.delivered,
      isNumber: true,
      cell: (row) => <Delivered row={row} />,
    },
    { id: 'cost', title: texts.columns.cost, isNumber: true, cell: (row) => <Cost row={row} /> },
    { id: 'schedule', title: texts.columns.schedule, cell: (row) => <Schedule row={row} /> },
    {
      id: 'author',
      title: texts.columns.author,
      cell: ({ author }) => author ?? '—',
      className: 'max-xl:hidden',
      onCard: 'hidden',
    },
  ];
  if (!canChange) return columns;
  return [
    ...columns,
    {
      id: 'act',
      title: texts.columns.act,
      isTitleHidden: true,
      onCard: 'plain',
      cell: (row) => <PauseButton row={row} />,
      className: 'sm:px-1',
    },
  ];
}

function State({ row }: { row: BroadcastRow }) {
  const texts = useBroadcastTexts();
  return (
    <span className="grid justify-items-start gap-0.5 max-sm:justify-items-end max-sm:text-end">
      <BroadcastState broadcast={row} />
      {row.pause_reason !== null && (
        <span className="text-sm text-muted">{texts.pauseReasons[row.pause_reason]}</span>
      )}
    </span>
  );
}

function RowProgress({ row }: { row: BroadcastRow }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  if (row.progress === null) {
    return <span className="text-muted">{texts.recipients(row.recipients, format.number)}</span>;
  }
  const { taken, recipients } = progressFigures(row.progress);
  const text = texts.progress(format.number(taken), format.number(recipients));
  const percent = percentOf(taken, recipients);
  return (
    <span className="grid gap-1 max-sm:min-w-32 sm:w-36">
      <span className="whitespace-nowrap">{text}</span>
      {row.ended_at === null && (
        <ProgressBar
          label={row.name}
          percent={percent}
          height={6}
          parts={[{ share: percent / 100, colour: 'text-brand' }]}
        />
      )}
    </span>
  );
}

function Delivered({ row }: { row: BroadcastRow }) {
  const format = useFormat();
  const share = row.progress === null ? undefined : progressFigures(row.progress).deliveredShare;
  return share === undefined ? '—' : format.percent(share);
}

/** What was charged, and what is still held for it. */
function Cost({ row }: { row: BroadcastRow }) {
  const texts = useBroadcastTexts();
  const format = useFormat();
  if (row.progress === null && row.held === 0) return '—';
  return (
    <span className="text-end whitespace-nowrap">
      {format.money(row.progress?.charged ?? 0)}
      {row.held > 0 && (
        <span className="block text-sm text-muted">{texts.held(format.money(row.held))}</span>
      )}
    </span>
  );
}

function Schedule({ row }: { row: BroadcastRow }) {
  const texts = useBroadcastTexts();
  const { ui } = useTexts();
  const at = row.ended_at ?? row.started_at ?? row.start_at;
  if (at === null) return row.state === 'draft' ? '—' : texts.atOnce;
  const word =
    row.ended_at !== null ? texts.ended : row.started_at !== null ? texts.started : texts.starts;
  return (
    <span className="grid leading-tight max-sm:text-end">
      <span className="text-sm text-muted">{word}</span>
      <span className="whitespace-nowrap">
        <Time at={at} as="timeToMinute" /> <span className="text-sm text-muted">{ui.almaty}</span>
      </span>
    </span>
  );
}

/** On a phone this is what a list of broadcasts is for. */
function PauseButton({ row }: { row: BroadcastRow }) {
  const texts = useBroadcastTexts();
  const { showToast } = useToasts();
  const { codes } = useTexts().errors;
  const pause = useAction('pauseBroadcast', { invalidates: ['broadcasts', 'broadcast'] });
  const resume = useAction('resumeBroadcast', { invalidates: ['broadcasts', 'broadcast'] });
  const params = { id: row.id };
  const onError = (error: Error) => {
    const known: Record<string, string> = codes;
    const text = error instanceof CallError ? (known[error.code] ?? error.message) : undefined;
    showToast(text ?? codes.internal_error);
  };
  if (row.state === 'running') {
    return (
      <ActButton
        icon={Pause}
        label={texts.pauseOf(row.name)}
        word={texts.pause}
        isBusy={pause.isPending}
        onClick={() =>
          pause.mutate(
            { params },
            { onError, onSuccess: (answer) => showToast(texts.paused(answer.with_channels)) },
          )
        }
      />
    );
  }
  if (row.state !== 'paused' || row.pause_reason === 'operator') return null;
  return (
    <ActButton
      icon={Play}
      label={texts.resumeOf(row.name)}
      word={texts.resume}
      isBusy={resume.isPending}
      onClick={() =>
        resume.mutate({ params }, { onError, onSuccess: () => showToast(texts.resumed) })
      }
    />
  );
}

/** An icon in the table; on a card a button with its word, wide enough for a thumb. */
function ActButton(props: {
  icon: LucideIcon;
  label: string;
  word: string;
  isBusy: boolean;
  onClick: () => void;
}) {
  const { icon: Icon, label, word, isBusy, onClick } = props;
  return (
    <Button
      aria-label={label}
      title={label}
      icon={<Icon aria-hidden="true" size={16} />}
      isBusy={isBusy}
      onClick={onClick}
      className="max-sm:mt-2 max-sm:w-full sm:px-2.5"
    >
      <span className="sm:hidden">{word}</span>
    </Button>
  );
}
