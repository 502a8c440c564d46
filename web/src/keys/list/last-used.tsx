import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { TriangleAlert } from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Time } from '../../ui/display/time.tsx';
import { lastUse } from './last-use.ts';

export function LastUsed({ row }: { row: Key }) {
  const texts = useTexts();
  const use = lastUse(row, Date.now());
  switch (use.is) {
    case 'unused':
      return <span className="text-muted">{texts.ui.never}</span>;
    case 'idle':
      return (
        <span className="inline-grid text-warn">
          <span className="inline-flex items-center gap-1.5">
            <TriangleAlert aria-hidden="true" size={14} className="shrink-0" />
            {use.at === null ? texts.ui.never : <Time at={use.at} as="relative" />}
          </span>
          <span className="text-sm">{texts.keys.idleAdvice}</span>
        </span>
      );
    default:
      return (
        <span className={use.is === 'fresh' ? 'text-ok' : 'text-muted'}>
          <Time at={use.at} as="relative" />
        </span>
      );
  }
}
