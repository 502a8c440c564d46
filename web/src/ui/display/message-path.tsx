import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';
import {
  ArrowUpRight,
  Check,
  CheckCheck,
  CircleQuestionMark,
  type LucideIcon,
  X,
} from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';

type Outcome = MessageRow['path'][number]['outcome'];

const MARKS: Record<Outcome, { icon: LucideIcon; colour: string }> = {
  sending: { icon: ArrowUpRight, colour: 'text-info' },
  accepted: { icon: Check, colour: 'text-info' },
  delivered: { icon: CheckCheck, colour: 'text-ok' },
  unconfirmed: { icon: CircleQuestionMark, colour: 'text-warn' },
  refused: { icon: X, colour: 'text-muted' },
  failed: { icon: X, colour: 'text-bad' },
};

/** The tried channels in their order, each with its outcome. */
export function MessagePath({ path }: { path: MessageRow['path'] }) {
  const texts = useTexts().messages;
  if (path.length === 0) return <span className="text-faint">—</span>;
  const summary = path
    .map(({ channel, outcome }) => `${CHANNEL_TITLES[channel]} — ${texts.outcomes[outcome]}`)
    .join(', ');
  return (
    <span
      title={summary}
      className="inline-flex flex-wrap items-center gap-x-1.5 gap-y-0.5 align-middle text-sm"
    >
      <span className="sr-only">{summary}</span>
      {path.map(({ channel, outcome }, place) => {
        const { icon: Mark, colour } = MARKS[outcome];
        return (
          <span
            key={place}
            aria-hidden="true"
            className="inline-flex items-center gap-1 whitespace-nowrap"
          >
            {place > 0 && <span className="text-faint">→</span>}
            {CHANNEL_TITLES[channel]}
            <Mark size={13} strokeWidth={2.5} className={colour} />
          </span>
        );
      })}
    </span>
  );
}
