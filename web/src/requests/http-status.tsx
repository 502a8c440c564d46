import { type Outcome, outcomeOf } from '@zhiber/contract/cabinet/request-words.ts';
import { Check, KeyRound, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { useTexts } from '../texts/use-texts.tsx';
import { Chip, type Tone } from '../ui/display/chip.tsx';

const LOOKS: Record<Outcome, { tone: Tone; icon: LucideIcon }> = {
  ok: { tone: 'ok', icon: Check },
  wrong_code: { tone: 'calm', icon: KeyRound },
  refused: { tone: 'warn', icon: X },
  failed: { tone: 'bad', icon: TriangleAlert },
};

/** The status code; screen readers also get how the call ended. */
export function HttpStatus({ call }: { call: { status: number; error_code: string | null } }) {
  const texts = useTexts().requests;
  const outcome = outcomeOf(call);
  return (
    <Chip {...LOOKS[outcome]}>
      {call.status} <span className="sr-only">{texts.classes[outcome]}</span>
    </Chip>
  );
}
