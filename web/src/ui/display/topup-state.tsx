import type { TopupRow } from '@zhiber/contract/cabinet/topups.ts';
import { Ban, Check, Clock, Hourglass, type LucideIcon, SearchCheck } from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Chip, type Tone } from './chip.tsx';

const LOOKS: Record<TopupRow['state'], { tone: Tone; icon: LucideIcon }> = {
  pending: { tone: 'info', icon: Hourglass },
  checking: { tone: 'info', icon: SearchCheck },
  manual: { tone: 'warn', icon: SearchCheck },
  paid: { tone: 'ok', icon: Check },
  expired: { tone: 'calm', icon: Clock },
  cancelled: { tone: 'calm', icon: Ban },
};

export function TopupStateChip({ state }: { state: TopupRow['state'] }) {
  return <Chip {...LOOKS[state]}>{useTexts().topup.states[state]}</Chip>;
}
