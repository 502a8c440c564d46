import type { BroadcastRow } from '@zhiber/contract/cabinet/broadcasts.ts';
import {
  Ban,
  CheckCheck,
  Clock,
  Hourglass,
  type LucideIcon,
  PauseCircle,
  PencilLine,
  Send,
} from 'lucide-react';
import { useBroadcastTexts } from '../texts/use-broadcast-texts.ts';
import { Chip, type Tone } from '../ui/display/chip.tsx';

const LOOKS: Record<BroadcastRow['state'], { tone: Tone; icon: LucideIcon }> = {
  draft: { tone: 'calm', icon: PencilLine },
  scheduled: { tone: 'info', icon: Clock },
  running: { tone: 'info', icon: Send },
  paused: { tone: 'warn', icon: PauseCircle },
  done: { tone: 'ok', icon: CheckCheck },
  cancelled: { tone: 'calm', icon: Ban },
};

/** The state of a broadcast; one that waits for a second person says so. */
export function BroadcastState(props: {
  broadcast: Pick<BroadcastRow, 'state' | 'needs_approval'>;
}) {
  const { state, needs_approval: needsApproval } = props.broadcast;
  const texts = useBroadcastTexts();
  if (state === 'draft' && needsApproval) {
    return (
      <Chip tone="warn" icon={Hourglass}>
        {texts.awaitsApproval}
      </Chip>
    );
  }
  return <Chip {...LOOKS[state]}>{texts.states[state]}</Chip>;
}
