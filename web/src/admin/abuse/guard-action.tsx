import type { GuardDecision } from '@zhiber/contract/admin/abuse.ts';
import { Ban, Eye } from 'lucide-react';
import { useAdminTexts } from '../../texts/use-admin-texts.ts';
import { useFormat } from '../../texts/use-texts.tsx';
import { Chip } from '../../ui/display/chip.tsx';

/** What the guard decided, and how many sends it concerned. */
export function GuardAction({ decision }: { decision: Pick<GuardDecision, 'action' | 'sends'> }) {
  const texts = useAdminTexts().abuse;
  const format = useFormat();
  const { action, sends } = decision;
  const isBlocked = action === 'blocked';
  return (
    <div className="grid justify-items-start gap-0.5">
      <Chip tone={isBlocked ? 'bad' : 'warn'} icon={isBlocked ? Ban : Eye}>
        {texts.actions[action]}
      </Chip>
      <span className="text-sm text-muted">{texts.sends(sends, format.number(sends))}</span>
    </div>
  );
}
