import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Answer } from '../call.ts';
import { useRight } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Card } from '../ui/display/card.tsx';

type Problem = Answer<'overview'>['problems'][number];

/** Problems that need an action; hidden when there are none. */
export function Problems({ problems }: { problems: readonly Problem[] }) {
  const texts = useTexts().overview;
  if (problems.length === 0) return null;
  return (
    <Card title={texts.problemsTitle}>
      <ul className="grid gap-2.5">
        {problems.map((problem) => (
          <li key={`${problem.kind} ${problem.object}`} className="flex gap-2.5 text-table">
            <TriangleAlert aria-hidden="true" size={17} className="mt-0.5 shrink-0 text-warn" />
            <span>
              <ProblemText problem={problem} /> <ProblemLink problem={problem} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ProblemText({ problem }: { problem: Problem }): ReactNode {
  const { problems } = useTexts().overview;
  const format = useFormat();
  const { kind, object, count } = problem;
  if (kind === 'low_balance') return problems.low_balance(format.money(count ?? 0));
  return problems[kind](object ?? '', count ?? 0);
}

const TARGETS = {
  channel_failing: {
    to: '/app/messages',
    search: (channel: string) => ({ range: 'hour', tried: channel }),
  },
  many_failures: {
    to: '/app/messages',
    search: () => ({ range: '7d', state: 'failed,unconfirmed,unknown' }),
  },
  webhook_failing: { to: '/app/webhooks', search: () => ({}) },
  webhook_off: { to: '/app/webhooks', search: () => ({}) },
  key_idle: { to: '/app/keys', search: () => ({}) },
  key_expired: { to: '/app/keys', search: () => ({}) },
  key_expires: { to: '/app/keys', search: () => ({}) },
  low_balance: { to: '/app/balance', search: () => ({}) },
} as const;

/** A link to the affected page, for those who may see it. */
function ProblemLink({ problem }: { problem: Problem }) {
  const texts = useTexts().overview;
  const canSeeKeys = useRight('keys.see');
  const canSeeWebhooks = useRight('webhooks.see');
  const canSeeBalance = useRight('balance.see');
  if (problem.kind.startsWith('key_') && !canSeeKeys) return null;
  if (problem.kind.startsWith('webhook') && !canSeeWebhooks) return null;
  if (problem.kind === 'low_balance' && !canSeeBalance) return null;
  const { to, search } = TARGETS[problem.kind];
  return (
    <Link to={to} search={search((problem.object ?? '').toLowerCase())} className="link">
      {texts.look}
    </Link>
  );
}
