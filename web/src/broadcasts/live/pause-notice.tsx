import { Link } from '@tanstack/react-router';
import type { PauseReason } from '@zhiber/contract/cabinet/broadcast-words.ts';
import type { Broadcast, Progress } from '@zhiber/contract/cabinet/broadcasts.ts';
import { PauseCircle, TriangleAlert } from 'lucide-react';
import { useRight } from '../../session.ts';
import { useProgressTexts } from '../../texts/use-progress-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { buttonClass } from '../../ui/controls/button.tsx';

/** A person has to look at what is wrong. */
const ALARMING: readonly PauseReason[] = ['money', 'failures', 'operator', 'suspended', 'late'];

/** Why a broadcast stands still, what to do about it, and where it goes on. */
export function PauseNotice(props: { broadcast: Broadcast; progress: Progress }) {
  const { pause_reason: reason, pause_detail: detail, resume_at: resumeAt } = props.broadcast;
  const texts = useProgressTexts();
  const format = useFormat();
  const canTopUp = useRight('balance.topup');
  if (reason === null) return null;
  const isAlarming = ALARMING.includes(reason);
  const Icon = isAlarming ? TriangleAlert : PauseCircle;
  const { title, advice } = texts.pauses[reason];
  const { recipients, outcomes } = props.progress;
  const next = recipients - outcomes.waiting + 1;
  return (
    <section
      role="status"
      className={classes(
        'grid gap-2 rounded-card p-4 sm:p-5',
        isAlarming ? 'bg-warn-tint' : 'bg-info-tint',
      )}
    >
      <h2
        className={classes(
          'flex items-center gap-2 text-base',
          isAlarming ? 'text-warn' : 'text-info',
        )}
      >
        <Icon aria-hidden="true" size={20} className="shrink-0" />
        {title}
      </h2>
      <p>{advice}</p>
      {detail !== null && (
        <p className="wrap-anywhere">
          {texts.detail}: {detail}
        </p>
      )}
      {resumeAt !== null && <p>{texts.resumesAt(format.timeToMinute(resumeAt))}</p>}
      {outcomes.waiting > 0 && <p>{texts.resumeFrom(format.number(next))}</p>}
      {reason === 'money' && canTopUp && (
        <p>
          <Link to="/app/balance/topup" className={buttonClass('primary')}>
            {texts.topUp}
          </Link>
        </p>
      )}
    </section>
  );
}
