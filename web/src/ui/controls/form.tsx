import { CircleAlert } from 'lucide-react';
import {
  createContext,
  type ReactNode,
  type SubmitEvent,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { CallError } from '../../call-error.ts';
import { ErrorText } from '../../texts/error-text.tsx';
import { useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../classes.ts';
import { type FieldProblem, findProblems, isControl, problemText } from './validity.ts';

type FieldErrors = {
  /** Of the answer, in Russian. */
  refused: Record<string, string[]>;
  /** Found before sending, in the language of the page. */
  own: readonly FieldProblem[];
};
const FieldErrorsContext = createContext<FieldErrors>({ refused: {}, own: [] });

export function useFieldErrors(name: string): string[] {
  return useContext(FieldErrorsContext).refused[name] ?? [];
}

/** What the field does not accept, found before the form was sent. */
export function useOwnProblem(name: string): string | undefined {
  const { own } = useContext(FieldErrorsContext);
  const texts = useTexts().ui.fieldProblems;
  const problem = own.find((each) => each.name === name);
  return problem && problemText(problem, texts);
}

export type FormProps = {
  /** Gets the values. The inputs keep them when the call is refused. */
  onSubmit: (values: FormValues) => void;
  /** The error of the mutation: marks its fields and is shown in the summary. */
  error?: Error | null;
  children: ReactNode;
  className?: string;
};

/** The values of a form, by field name. */
export type FormValues = {
  text: (name: string) => string;
  /** Not trimmed: spaces are part of a password. */
  secret: (name: string) => string;
  /** Undefined for an empty field. */
  optional: (name: string) => string | undefined;
  isOn: (name: string) => boolean;
  all: (name: string) => string[];
};

export function Form({ onSubmit, error = null, children, className }: FormProps) {
  const [own, setOwn] = useState<readonly FieldProblem[]>([]);
  const refused = error instanceof CallError ? error.errors : {};
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // React events of a form in a dialog bubble to an outer form; only the inner one is submitted.
    event.stopPropagation();
    const form = event.currentTarget;
    // A second Enter while the first is under way.
    if (form.querySelector('[type=submit][aria-busy=true]') !== null) return;
    const problems = findProblems(form);
    setOwn(problems);
    if (problems.length > 0) problems[0]?.control.focus();
    else onSubmit(readForm(new FormData(form)));
  };
  /** What is mended is no longer marked. */
  const recheck = ({ target }: { target: EventTarget }) => {
    if (!isControl(target) || !target.validity.valid) return;
    setOwn((before) => before.filter(({ name }) => name !== target.name));
  };
  return (
    <FieldErrorsContext value={{ refused, own }}>
      {/* The browser would complain in its own language, which may not be that of the page. */}
      <form
        noValidate
        onSubmit={submit}
        onInput={recheck}
        className={classes('grid gap-4', className)}
      >
        {own.length > 1 && <ProblemList problems={own} />}
        {error !== null && own.length === 0 && <ErrorSummary error={error} />}
        {children}
      </form>
    </FieldErrorsContext>
  );
}

function readForm(form: FormData): FormValues {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  return {
    text,
    secret: (name) => String(form.get(name) ?? ''),
    optional: (name) => text(name) || undefined,
    isOn: (name) => form.has(name),
    all: (name) => form.getAll(name).map(String),
  };
}

/** What has to be filled in. The focus is on the first of the fields. */
function ProblemList({ problems }: { problems: readonly FieldProblem[] }) {
  const { ui } = useTexts();
  return (
    <div className={SUMMARY_CLASS}>
      <p className="flex gap-2 font-medium">
        <CircleAlert aria-hidden="true" size={18} className="mt-0.5 shrink-0" />
        {ui.whatToFix}
      </p>
      <ul className="mt-1 ms-6 list-disc ps-1" aria-label={ui.whatToFix}>
        {problems.map((problem) => (
          <li key={problem.name}>
            <button
              type="button"
              className="text-start underline"
              onClick={() => problem.control.focus()}
            >
              {problem.label}: {problemText(problem, ui.fieldProblems)}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const SUMMARY_CLASS = 'rounded-card border border-bad bg-bad-tint p-3 text-table text-bad';

/** Takes the focus, so that screen readers announce the error. */
function ErrorSummary({ error }: { error: Error }) {
  const texts = useTexts().ui;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), [error]);
  const fields = error instanceof CallError ? Object.entries(error.errors) : [];
  return (
    <div ref={box} tabIndex={-1} role="alert" className={SUMMARY_CLASS}>
      <p className="flex gap-2 font-medium">
        <CircleAlert aria-hidden="true" size={18} className="mt-0.5 shrink-0" />
        <span>
          <ErrorText error={error} />
        </span>
      </p>
      {error instanceof CallError && error.code === 'no_connection' && (
        <p className="mt-1 ms-6">{texts.notSent}</p>
      )}
      {fields.length > 0 && (
        <ul className="mt-1 ms-6 list-disc ps-1" aria-label={texts.whatToFix}>
          {fields.map(([name, problems]) => (
            <li key={name}>
              <button
                type="button"
                className="text-start underline"
                onClick={focusField(box, name)}
              >
                <span lang="ru">{problems.join(' ')}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {error instanceof CallError && error.requestId !== undefined && error.status >= 500 && (
        <p className="mt-1 ms-6 font-mono text-sm">{error.requestId}</p>
      )}
    </div>
  );
}

function focusField(box: React.RefObject<HTMLDivElement | null>, name: string) {
  return () => {
    const control = box.current?.closest('form')?.elements.namedItem(name);
    const target = control instanceof RadioNodeList ? control[0] : control;
    if (target instanceof HTMLElement) target.focus();
  };
}

/** The row of buttons that ends a form. */
export function FormActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3 pt-1">{children}</div>;
}
