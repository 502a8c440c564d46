import type { MessageState } from '@zhiber/contract/api/events.ts';
import {
  ArrowUpRight,
  Check,
  CheckCheck,
  CircleQuestionMark,
  Clock,
  Eye,
  FlaskConical,
  type LucideIcon,
  Radio,
  X,
} from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Chip, type Tone } from './chip.tsx';

/** "Accepted" and "delivered" must differ in colour and in word. */
const LOOKS: Record<MessageState, { tone: Tone; icon: LucideIcon }> = {
  queued: { tone: 'calm', icon: Clock },
  sending: { tone: 'info', icon: ArrowUpRight },
  sent: { tone: 'info', icon: Check },
  delivered: { tone: 'ok', icon: CheckCheck },
  read: { tone: 'ok', icon: Eye },
  failed: { tone: 'bad', icon: X },
  unconfirmed: { tone: 'warn', icon: CircleQuestionMark },
  unknown: { tone: 'warn', icon: CircleQuestionMark },
};

export function StatusChip({ state }: { state: MessageState }) {
  const { tone, icon } = LOOKS[state];
  return (
    <Chip tone={tone} icon={icon}>
      {useTexts().ui.states[state]}
    </Chip>
  );
}

export function ModeChip({ mode }: { mode: 'test' | 'live' }) {
  const isTest = mode === 'test';
  return (
    <Chip tone={isTest ? 'test' : 'calm'} icon={isTest ? FlaskConical : Radio}>
      {useTexts().ui.modes[mode]}
    </Chip>
  );
}
