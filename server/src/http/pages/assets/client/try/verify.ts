import type { LiveTexts } from '../../../texts/try-texts-ru.ts';
import { find } from '../dom.ts';
import { fill, recipient } from '../format.ts';
import type { ApiRequest, Mode, Outcome } from './server.ts';

/** A code belongs to a key, a phone and a purpose; it is verified with the same three. */
export type VerifyTarget = { phone: string; mode: Mode; purpose: string };

export type VerifyPanel = {
  /** Makes ready to verify another code, with what is known of it. */
  aim(target: VerifyTarget, code: string): void;
  fill(code: string): void;
  /** What stands in the field. */
  code(): string;
  /** Brings the panel into view and leaves the focus where it is. */
  reveal(): void;
  focus(): void;
  /** Undefined while nothing was sent. */
  request(): ApiRequest | undefined;
  showOutcome(outcome: Outcome | undefined): void;
};

export function createVerifyPanel(texts: LiveTexts): VerifyPanel {
  const input = find('code', HTMLInputElement);
  let target: VerifyTarget | undefined;

  const typed = () => input.value.trim();

  function show(code: string): void {
    input.value = code;
    showText('', '');
  }

  return {
    aim(next, code) {
      target = next;
      show(code);
      const phone = recipient(next.phone);
      find('verify-for', HTMLElement).textContent = fill(texts.verifyFor, { phone });
    },
    fill: show,
    code: typed,
    reveal: () => find('verify-panel', HTMLElement).scrollIntoView({ block: 'nearest' }),
    focus() {
      input.focus();
      input.select();
    },
    request() {
      if (target === undefined) return undefined;
      const { phone, mode, purpose } = target;
      const body = { phone, code: typed(), ...(purpose !== '' && { purpose }) };
      return { path: '/otp/verify', mode, body };
    },
    showOutcome(outcome) {
      if (outcome === undefined) return showText('warn', texts.verifyNothing);
      if (outcome.kind !== 'answered') return showText('bad', texts.serverAway);
      showText(outcome.status < 400 ? 'ok' : 'warn', messageOf(outcome.body));
    },
  };
}

function showText(tone: string, text: string): void {
  const outcome = find('verify-outcome', HTMLElement);
  outcome.className = tone === '' ? '' : `tinted ${tone}`;
  outcome.textContent = text;
}

function messageOf(body: unknown): string {
  const hasMessage = typeof body === 'object' && body !== null && 'message' in body;
  return hasMessage ? String(body.message) : '';
}
