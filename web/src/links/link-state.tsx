import type { LinkRow } from '@zhiber/contract/cabinet/links.ts';
import { Ban, Check, Clock, type LucideIcon } from 'lucide-react';
import { useTexts } from '../texts/use-texts.tsx';
import { Chip, type Tone } from '../ui/display/chip.tsx';

const LOOKS: Record<LinkRow['state'], { tone: Tone; icon: LucideIcon }> = {
  active: { tone: 'ok', icon: Check },
  expired: { tone: 'calm', icon: Clock },
  disabled: { tone: 'bad', icon: Ban },
};

export function LinkStateChip({ state }: { state: LinkRow['state'] }) {
  return <Chip {...LOOKS[state]}>{useTexts().links.states[state]}</Chip>;
}
