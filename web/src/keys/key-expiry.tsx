import { KEY_EXPIRY_WARNING_DAYS } from '@zhiber/contract/api/limits.ts';
import type { Key } from '@zhiber/contract/cabinet/keys.ts';
import { useAction } from '../queries.ts';
import { useRight } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { classes } from '../ui/classes.ts';
import { Button } from '../ui/controls/button.tsx';
import { ErrorCard } from '../ui/display/error-card.tsx';
import { expiryState } from '../ui/display/expiry-state.ts';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { draftOf, settingsOf } from './settings/draft.ts';
import { endInDays } from './settings/expiry.ts';

const EXTENSION_DAYS = 90;

function stateOf({ expires_at: end, state }: Pick<Key, 'expires_at' | 'state'>) {
  if (state === 'revoked') return 'none';
  return expiryState(end, { now: Date.now(), warnDays: KEY_EXPIRY_WARNING_DAYS });
}

/** Says that a key has ended or soon will, with a button that extends it. */
export function ExpiryNotice({ row }: { row: Key }) {
  const texts = useTexts().keys.expiry;
  const format = useFormat();
  const { showToast } = useToasts();
  const canChange = useRight('keys.change');
  const change = useAction('changeKey', { invalidates: ['keys'] });
  const state = stateOf(row);
  if (row.expires_at === null || state === 'none' || state === 'far') return null;
  const extend = () => {
    const expires_at = endInDays(EXTENSION_DAYS, Date.now());
    const body = { ...settingsOf(draftOf(row)), expires_at };
    change.mutate({ params: { id: row.id }, body }, { onSuccess: () => showToast(texts.extended) });
  };
  const until = format.timeToMinute(row.expires_at);
  return (
    <>
      <div
        className={classes(
          'flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card px-4 py-3 text-table',
          state === 'over' ? 'bg-bad-tint text-bad' : 'bg-warn-tint text-warn',
        )}
      >
        <p className="grow">{state === 'over' ? texts.over(until) : texts.soon(until)}</p>
        {canChange && (
          <Button isBusy={change.isPending} onClick={extend}>
            {texts.extend}
          </Button>
        )}
      </div>
      {change.error !== null && <ErrorCard error={change.error} />}
    </>
  );
}
