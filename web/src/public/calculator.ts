import type { Channel } from '@zhiber/contract/api/channel.ts';
import { CHANNELS } from '@zhiber/contract/api/channel.ts';
import {
  ESTIMATE_MESSAGES_MAX,
  estimateCost,
  type Shares,
} from '@zhiber/contract/pages/price-estimate.ts';

/** The calculator of `/pricing` answers while somebody types. Without it the server does. */
export function startCalculator(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-calculator]');
  if (form === null) return;
  form.querySelector('button')?.remove();
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', () => show(form));
}

function show(form: HTMLFormElement): void {
  const fields = new FormData(form);
  const read = (name: string) => wholeNumber(String(fields.get(name) ?? ''));
  const messages = read('messages');
  const shares = Object.fromEntries(
    CHANNELS.map((channel) => [channel, fields.get(channel) === '' ? 0 : read(channel)]),
  ) as Record<Channel, number | undefined>;
  const isCountWrong = messages === undefined || messages < 1 || messages > ESTIMATE_MESSAGES_MAX;
  const sum = CHANNELS.reduce((total, channel) => total + (shares[channel] ?? 0), 0);
  const areSharesWrong = sum !== 100 || CHANNELS.some((channel) => shares[channel] === undefined);
  markInvalid(form, { messages: isCountWrong, shares: areSharesWrong });
  const { wrongMessages = '', wrongShares = '' } = form.dataset;
  setText(form, '.calculator-problem', [
    isCountWrong ? wrongMessages : '',
    areSharesWrong ? wrongShares.replace('{sum}', String(sum)) : '',
  ]);
  if (isCountWrong || areSharesWrong) {
    setText(form, 'output', []);
    return;
  }
  const prices = pricesIn(form);
  const estimate = estimateCost(messages, shares as Shares, prices);
  for (const channel of CHANNELS) {
    const { count, cost } = estimate.channels[channel];
    const parts = `${format(count)} × ${money(prices[channel])}`;
    setText(form, `[data-channel="${channel}"] [data-count]`, [parts]);
    setText(form, `[data-channel="${channel}"] [data-cost]`, [money(cost)]);
  }
  setText(form, 'output', [money(estimate.total)]);
}

function pricesIn(form: HTMLFormElement) {
  const price = (channel: Channel) =>
    Number(form.querySelector<HTMLElement>(`[data-channel="${channel}"]`)?.dataset.price);
  return { whatsapp: price('whatsapp'), telegram: price('telegram'), sms: price('sms'), group: 0 };
}

function markInvalid(form: HTMLFormElement, wrong: { messages: boolean; shares: boolean }): void {
  for (const input of form.querySelectorAll<HTMLInputElement>('input[inputmode]')) {
    const isWrong = input.name === 'messages' ? wrong.messages : wrong.shares;
    input.toggleAttribute('aria-invalid', isWrong);
    if (isWrong) input.setAttribute('aria-invalid', 'true');
  }
}

function setText(form: HTMLFormElement, selector: string, parts: readonly string[]): void {
  const element = form.querySelector(selector);
  const text = parts.filter((part) => part !== '').join(' ');
  if (element !== null && element.textContent !== text) element.textContent = text;
}

function wholeNumber(text: string): number | undefined {
  const digits = text.replaceAll(/\s/g, '');
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined;
}

function money(tokens: number): string {
  return `${new Intl.NumberFormat('ru-KZ').format(tokens)}\u{a0}₸`;
}

/** As the server writes numbers; amounts are alike in every language. */
function format(value: number): string {
  const locale = document.documentElement.lang === 'en' ? 'en-GB' : 'ru-KZ';
  return new Intl.NumberFormat(locale).format(value);
}
