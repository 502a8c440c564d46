import { useTexts } from '../texts/use-texts.tsx';

/** An error's code leads to the page that explains it, in a new tab: the list stays. */
export function ErrorLink({ code }: { code: string | null }) {
  const texts = useTexts().requests;
  if (code === null) return '—';
  return (
    <a
      href={`/docs/errors/${code}`}
      target="_blank"
      rel="noreferrer"
      title={texts.aboutError}
      className="link relative z-1 font-mono text-sm"
    >
      {code}
    </a>
  );
}
