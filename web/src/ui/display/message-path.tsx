import { CHANNEL_TITLES } from '@zhiber/contract/api/channel.ts';
import type { MessageRow } from '@zhiber/contract/cabinet/messages.ts';
import {
  ArrowUpRight,
  Check,
  CheckCheck,
  ChevronRight,
  CircleQuestionMark,
  type LucideIcon,
  X,
} from 'lucide-react';
import { Fragment } from 'react';
import { useTexts } from '../../texts/use-texts.tsx';
import { CHANNEL_ICONS } from './channel.tsx';

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
    <span title={summary} className="inline-flex items-center gap-1 align-middle whitespace-nowrap">
      <span className="sr-only">{summary}</span>
      {path.map(({ channel, outcome }, place) => {
        const Channel = CHANNEL_ICONS[channel];
        const { icon: Mark, colour } = MARKS[outcome];
        return (
          <Fragment key={place}>
            {place > 0 && (
              <ChevronRight aria-hidden="true" size={12} className="text-faint sm:max-xl:hidden" />
            )}
            <Channel aria-hidden="true" size={15} className="text-muted" />
            <Mark aria-hidden="true" size={13} strokeWidth={2.5} className={colour} />
          </Fragment>
        );
      })}
    </span>
  );
}
