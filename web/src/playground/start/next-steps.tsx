import type { ReactNode } from 'react';
import { useAction } from '../../queries.ts';
import { useRight } from '../../session.ts';
import { useOnboardingTexts } from '../../texts/use-onboarding-texts.ts';
import { Button } from '../../ui/controls/button.tsx';
import { LinkButton } from '../../ui/controls/link-button.tsx';
import { Card } from '../../ui/display/card.tsx';
import { ErrorCard } from '../../ui/display/error-card.tsx';
import { RevealDialog } from '../../ui/secret/reveal-dialog.tsx';

/** What follows the first code; nothing that the role may not do. */
export function NextSteps() {
  const texts = useOnboardingTexts();
  const may = {
    live: useRight('keys.change'),
    topup: useRight('balance.topup'),
    team: useRight('team.change'),
    webhook: useRight('webhooks.change'),
  };
  return (
    <Card title={texts.next}>
      <ul className="grid gap-x-8 gap-y-5 sm:grid-cols-2 xl:grid-cols-4">
        {may.live && <Next {...texts.live} action={<LiveKeyButton />} />}
        {may.topup && (
          <Next
            {...texts.topup}
            action={<LinkButton to="/app/balance/topup">{texts.topup.action}</LinkButton>}
          />
        )}
        {may.team && (
          <Next
            {...texts.team}
            action={<LinkButton to="/app/team">{texts.team.action}</LinkButton>}
          />
        )}
        {may.webhook && (
          <Next
            {...texts.webhook}
            action={<LinkButton to="/app/webhooks">{texts.webhook.action}</LinkButton>}
          />
        )}
      </ul>
    </Card>
  );
}

function Next({ title, note, action }: { title: string; note: string; action: ReactNode }) {
  return (
    <li className="grid content-between justify-items-start gap-3">
      <div>
        <h3 className="text-table font-semibold">{title}</h3>
        <p className="text-table text-muted">{note}</p>
      </div>
      {action}
    </li>
  );
}

/** One press: the settings of the company are good for a start, and can be changed on its page. */
function LiveKeyButton() {
  const texts = useOnboardingTexts();
  const create = useAction('createKey', { invalidates: ['keys', 'overview'], isSecret: true });
  const { data } = create;
  const body = { name: texts.live.name, mode: 'live' } as const;
  return (
    <>
      <Button isBusy={create.isPending} onClick={() => create.mutate({ body })}>
        {texts.live.action}
      </Button>
      {create.error !== null && <ErrorCard error={create.error} />}
      {data !== undefined && (
        <RevealDialog
          title={texts.live.action}
          revealedTitle={texts.live.made}
          secret={{ id: data.id, key: data.key, mode: 'live' }}
          onClose={create.reset}
        >
          {null}
        </RevealDialog>
      )}
    </>
  );
}
