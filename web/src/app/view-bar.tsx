import { Eye } from 'lucide-react';
import { useEffect } from 'react';
import { useAction } from '../queries.ts';
import { clearCache, useCompany, useSession } from '../session.ts';
import { useFormat, useTexts } from '../texts/use-texts.tsx';
import { Button } from '../ui/controls/button.tsx';

/** Says on every page that an operator only looks at this cabinet, until when, and ends it. */
export function ViewBar() {
  const { viewed_until: until } = useSession();
  return until === null ? null : <OpenView until={until} />;
}

function OpenView({ until }: { until: string }) {
  const texts = useTexts().layout.view;
  const format = useFormat();
  const { id } = useCompany();
  const signOut = useAction('signOut');
  const toDesk = `/admin/companies/${id}`;
  useEffect(() => {
    const timer = setTimeout(() => location.assign(toDesk), Date.parse(until) - Date.now());
    return () => clearTimeout(timer);
  }, [until, toDesk]);
  const end = async () => {
    await signOut.mutateAsync({});
    await clearCache();
    location.assign(toDesk);
  };
  return (
    <aside
      aria-label={texts.title}
      className="desk flex flex-wrap items-center justify-center gap-x-4 gap-y-1.5 bg-bg px-4 py-1.5 text-sm text-text"
    >
      <p className="flex min-w-0 gap-2">
        <Eye aria-hidden="true" size={18} className="mt-px shrink-0" />
        <span className="min-w-0">
          <strong>{texts.title}</strong>
          <span className="max-sm:sr-only"> — {texts.note}</span> {texts.until(format.clock(until))}
        </span>
      </p>
      <Button isBusy={signOut.isPending} onClick={() => void end()}>
        {texts.end}
      </Button>
    </aside>
  );
}
