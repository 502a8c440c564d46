import { RefreshCw, WifiOff } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { checkConnection, noteLost, useConnection } from '../connection.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx';

const NOTE_CLASS =
  'sticky top-16 z-10 mx-auto mb-4 flex w-fit max-w-full flex-wrap items-center gap-x-4 gap-y-1 rounded-card border py-1 ps-4 pe-1.5 text-table shadow-overlay';

/** Above every page: the connection is lost, or there is a newer version of the pages. */
export function ConnectionNotes() {
  const { isLost, hasNewBuild } = useConnection();
  useLeavingGuard();
  return (
    <div role="status" className="contents">
      {isLost ? <LostNote /> : hasNewBuild && <NewBuildNote />}
    </div>
  );
}

function LostNote() {
  const texts = useTexts().frame.connection;
  const { isChecking } = useConnection();
  return (
    <div className={`${NOTE_CLASS} border-warn bg-warn-tint text-warn`}>
      <p className="flex gap-2 py-1">
        <WifiOff aria-hidden="true" size={18} className="mt-0.5 shrink-0" />
        <span>
          <strong className="font-medium">{texts.lost}</strong> {texts.lostNote}
        </span>
      </p>
      <Button isBusy={isChecking} onClick={() => void checkConnection()}>
        {texts.retry}
      </Button>
    </div>
  );
}

function NewBuildNote() {
  const texts = useTexts().frame.connection;
  return (
    <div className={`${NOTE_CLASS} border-info bg-info-tint text-info`}>
      <p className="py-1 font-medium">{texts.newVersion}</p>
      <UpdateButton />
    </div>
  );
}

/** Loads the page anew, and asks first where something typed would be lost. */
export function UpdateButton({ label }: { label?: string }) {
  const texts = useTexts().frame.connection;
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        icon={<RefreshCw aria-hidden="true" size={16} />}
        onClick={() => (hasTypedText() ? setAsking(true) : void reload())}
      >
        {label ?? texts.update}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={texts.typedTitle}
          action={texts.updateAnyway}
          onConfirm={() => void reload()}
          onClose={() => setAsking(false)}
        >
          {texts.typedLoss}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Without a connection the browser would show its own page of errors in place of this one. */
async function reload(): Promise<void> {
  if (await checkConnection()) location.reload();
}

/** Whether a field holds what somebody typed and has not sent. */
function hasTypedText(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    ':is(main, dialog) form :is(input:not([type=search], [type=hidden], [type=checkbox], [type=radio]), textarea)',
  );
  return [...fields].some(({ value }) => value.trim() !== '');
}

/** A link out of the cabinet keeps its page while the server cannot be reached. */
function useLeavingGuard(): void {
  const { isLost } = useConnection();
  const guard = useEffectEvent((event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.defaultPrevented || link.origin !== location.origin) return;
    const isInPage = link.hash !== '' && link.pathname === location.pathname;
    if (isInPage || (navigator.onLine && !isLost)) return;
    event.preventDefault();
    noteLost();
  });
  useEffect(() => {
    const listen = (event: MouseEvent) => guard(event);
    window.addEventListener('click', listen);
    return () => window.removeEventListener('click', listen);
  }, []);
}
