import { useQuery } from '@tanstack/react-query';
import { LANG_TITLES, LANGS } from '@zhiber/contract/languages.ts';
import { type ReactNode, useEffect } from 'react';
import { queryOf } from '../../queries.ts';
import { useLang, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../classes.ts';
import { SandboxStripe } from '../display/sandbox-stripe.tsx';

/** The frame of all pages shown before signing in. */
export function SignInFrame(props: {
  title: string;
  lead?: ReactNode;
  /** The frame of the operator's desk has its name, and other colours. */
  desk?: string;
  /** Beside the form where there is room: the virtual phone of a sandbox. */
  aside?: ReactNode;
  children: ReactNode;
}) {
  const { title, lead, desk, aside, children } = props;
  const texts = useTexts();
  useEffect(() => {
    document.title = `${title} — Zhiber`;
  }, [title]);
  return (
    <div className="flex min-h-dvh flex-col">
      {desk === undefined && <StripeInSandbox />}
      <header
        className={classes(
          'flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b border-hairline px-4 py-1 sm:px-6',
          desk === undefined ? 'bg-surface' : 'desk bg-bg text-text',
        )}
      >
        <a href="/" className="target flex items-center gap-2 text-lg font-bold tracking-tight">
          Zhiber
          {desk !== undefined && <DeskLabel>{desk}</DeskLabel>}
        </a>
        <LanguageSwitch label={texts.layout.language} />
      </header>
      <main
        className={classes(
          'mx-auto grid w-full grow content-start gap-x-16 gap-y-8 px-4 py-8 sm:py-14',
          aside === undefined
            ? 'max-w-md'
            : 'max-w-md lg:max-w-4xl lg:grid-cols-[minmax(0,1fr)_20rem]',
        )}
      >
        <div className="min-w-0">
          <h1 className="text-2xl tracking-tight wrap-anywhere">{title}</h1>
          {lead !== undefined && <p className="mt-1 text-muted">{lead}</p>}
          <div className="mt-6 grid gap-5">{children}</div>
        </div>
        {aside}
      </main>
    </div>
  );
}

function StripeInSandbox() {
  const { data } = useQuery(queryOf('signInOptions'));
  return data?.is_sandbox === true && <SandboxStripe />;
}

/** Beside the name of the product, on every page of the operator's desk. */
export function DeskLabel({ children }: { children: ReactNode }) {
  return (
    <span className="rounded-control bg-stripe-tint px-2 py-0.5 text-sm font-semibold tracking-normal text-stripe">
      {children}
    </span>
  );
}

function LanguageSwitch({ label }: { label: string }) {
  const { lang, setLang } = useLang();
  return (
    <nav aria-label={label} className="-mx-2 flex text-table">
      {LANGS.map((name) => (
        <button
          key={name}
          type="button"
          lang={name}
          aria-pressed={name === lang}
          onClick={() => void setLang(name)}
          className="target rounded-control px-2 text-muted hover:text-text aria-pressed:font-semibold aria-pressed:text-text"
        >
          {LANG_TITLES[name]}
        </button>
      ))}
    </nav>
  );
}

export function OrLine() {
  const texts = useTexts().signIn;
  return (
    <p className="flex items-center gap-3 text-sm text-muted before:h-px before:grow before:bg-hairline after:h-px after:grow after:bg-hairline">
      {texts.or}
    </p>
  );
}
