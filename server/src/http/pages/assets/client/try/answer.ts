import type { LiveTexts } from '../../../texts/try-texts-ru.ts';
import { find, isWebAddress, outsideLink } from '../dom.ts';
import { fill, seconds } from '../format.ts';
import { jsonNodes } from '../json-view.ts';
import type { Outcome } from './server.ts';

/** Below this a wait is not felt, and a counter would only flicker. */
const SHOW_WAITING_MS = 400;

export type AnswerPanel = {
  /** Counts the seconds until `show` is called. */
  wait(): void;
  show(path: string, outcome: Outcome): void;
};

export function createAnswerPanel(texts: LiveTexts): AnswerPanel {
  const panel = find('answer-panel', HTMLDetailsElement);
  let counter: ReturnType<typeof setInterval> | undefined;
  return {
    wait() {
      const startedAt = performance.now();
      clearInterval(counter);
      counter = setInterval(() => {
        const ms = performance.now() - startedAt;
        if (ms > SHOW_WAITING_MS) showWaiting(texts, ms);
      }, 100);
    },
    show(path, outcome) {
      clearInterval(counter);
      panel.open = true;
      panel.removeAttribute('aria-busy');
      showOutcome(texts, path, outcome);
    },
  };
}

/** The running count is for the eye: a busy region is not read out until it has come to rest. */
function showWaiting(texts: LiveTexts, ms: number): void {
  const panel = find('answer-panel', HTMLDetailsElement);
  panel.open = true;
  panel.setAttribute('aria-busy', 'true');
  setSummary('wait', fill(texts.waiting, { seconds: seconds(ms) }));
  find('answer-body', HTMLElement).hidden = true;
  find('answer-links', HTMLElement).replaceChildren();
}

function showOutcome(texts: LiveTexts, path: string, outcome: Outcome): void {
  const body = find('answer-body', HTMLElement);
  const links = find('answer-links', HTMLElement);
  body.hidden = outcome.kind !== 'answered';
  links.replaceChildren();
  switch (outcome.kind) {
    case 'away':
      setSummary('bad', texts.serverAway);
      break;
    case 'tooSlow':
      setSummary('bad', fill(texts.tooSlow, { seconds: String(outcome.seconds) }));
      break;
    case 'answered': {
      const took = fill(texts.milliseconds, { ms: String(outcome.ms) });
      const facts = [took, `POST ${path}`, outcome.requestId ?? ''];
      setSummary(toneOf(outcome.status), String(outcome.status), ...facts);
      const isText = typeof outcome.body === 'string';
      body.replaceChildren(...(isText ? [String(outcome.body)] : jsonNodes(outcome.body)));
      links.replaceChildren(...answerLinks(texts, outcome.body));
    }
  }
}

function toneOf(status: number): string {
  if (status < 400) return 'ok';
  return status < 500 ? 'warn' : 'bad';
}

function setSummary(tone: string, chip: string, ...facts: string[]): void {
  const summary = find('answer-summary', HTMLElement);
  const first = document.createElement('span');
  first.className = `chip ${tone}`;
  first.textContent = chip;
  const rest = facts
    .filter((fact) => fact !== '')
    .map((fact) => {
      const span = document.createElement('span');
      span.textContent = fact;
      return span;
    });
  summary.replaceChildren(first, ...rest.flatMap((span) => [' ', span]));
}

function answerLinks(texts: LiveTexts, body: unknown): Node[] {
  if (typeof body !== 'object' || body === null) return [];
  const links: Node[] = [];
  if ('error_code' in body && typeof body.error_code === 'string') {
    const page = `/docs/errors/${encodeURIComponent(body.error_code)}`;
    links.push(outsideLink(`${page}?lang=${document.documentElement.lang}`, texts.whatToDo));
  }
  if ('short_url' in body && isWebAddress(body.short_url)) {
    links.push(outsideLink(body.short_url, texts.openLink));
  }
  return links;
}
