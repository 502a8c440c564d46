type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
export type FieldProblem = {
  name: string;
  label: string;
  control: Control;
  kind: ProblemKind;
  /** The bound that the value misses. */
  bound: string;
};

type ProblemKind = keyof ProblemTexts;
export type ProblemTexts = {
  missing: string;
  unticked: string;
  email: string;
  address: string;
  format: string;
  number: string;
  date: string;
  step: string;
  short: (length: string) => string;
  long: (length: string) => string;
  low: (bound: string) => string;
  high: (bound: string) => string;
};

export function isControl(target: EventTarget): target is Control {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}

/** What the fields of a form do not accept, one problem per name, in the order of the page. */
export function findProblems(form: HTMLFormElement): FieldProblem[] {
  const wrong = [...form.elements].filter(
    (each): each is Control => isControl(each) && each.willValidate && !each.validity.valid,
  );
  const byName = new Map<string, FieldProblem>();
  for (const control of wrong) {
    if (byName.has(control.name)) continue;
    byName.set(control.name, { name: control.name, label: labelOf(control), ...judge(control) });
  }
  return [...byName.values()];
}

export function problemText({ kind, bound }: FieldProblem, texts: ProblemTexts): string {
  const text = texts[kind];
  return typeof text === 'string' ? text : text(bound);
}

function labelOf(control: Control): string {
  const group = control.closest('fieldset')?.querySelector('legend');
  const label = control.type === 'radio' ? group : control.labels?.[0];
  return (label?.textContent ?? control.getAttribute('aria-label') ?? control.name).trim();
}

function judge(control: Control): Pick<FieldProblem, 'control' | 'kind' | 'bound'> {
  const { validity } = control;
  const read = (attribute: string) => control.getAttribute(attribute) ?? '';
  const problem = (kind: ProblemKind, bound = '') => ({ control, kind, bound });
  const isTick = control.type === 'checkbox' || control.type === 'radio';
  if (validity.valueMissing) return problem(isTick ? 'unticked' : 'missing');
  if (validity.badInput) return problem(control.type === 'number' ? 'number' : 'date');
  if (validity.typeMismatch) return problem(control.type === 'email' ? 'email' : 'address');
  if (validity.tooShort) return problem('short', read('minlength'));
  if (validity.tooLong) return problem('long', read('maxlength'));
  if (validity.rangeUnderflow) return problem('low', read('min'));
  if (validity.rangeOverflow) return problem('high', read('max'));
  if (validity.stepMismatch) return problem('step');
  return problem('format');
}
