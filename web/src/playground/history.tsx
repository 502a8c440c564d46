import { RotateCcw } from 'lucide-react';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { Card } from '../ui/display/card.tsx';
import { Chip } from '../ui/display/chip.tsx';
import type { Run } from './runs.ts';
import { statusTone } from './status-tone.ts';

/** The last calls of this tab; each can be put back into the form. */
export function History(props: { runs: readonly Run[]; onRepeat: (run: Run) => void }) {
  const { runs, onRepeat } = props;
  const texts = useTexts().playground;
  const format = useFormat();
  if (runs.length === 0) return null;
  return (
    <Card
      title={texts.history}
      aside={<span className="text-sm text-muted">{texts.historyNote}</span>}
    >
      <ol className="grid divide-y divide-hairline text-table">
        {runs.map((run) => (
          <li key={run.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
            <time dateTime={run.at} title={format.time(run.at)} className="text-muted">
              {format.clockSeconds(run.at)}
            </time>
            <span className="font-medium">{texts.operations[run.operation]}</span>
            <Recipient run={run} />
            <span className="ms-auto text-muted">{texts.milliseconds(run.ms)}</span>
            <Chip tone={statusTone(run.status)}>{run.status}</Chip>
            {run.operation !== 'otpVerify' && (
              <IconButton icon={RotateCcw} label={texts.repeat} onClick={() => onRepeat(run)} />
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Recipient({ run }: { run: Run }) {
  const format = useFormat();
  const { phone, group, url } = run.fields;
  const recipients = {
    otpSend: format.phone(phone),
    otpVerify: format.phone(phone),
    linkSend: format.phone(phone),
    linkShorten: url,
    groupSend: group,
  } as const satisfies Record<Run['operation'], string>;
  return <span className="min-w-0 truncate">{recipients[run.operation]}</span>;
}
