import { chosen, find } from '../dom.ts';
import { type Operation, type RequestFields, requestOf } from '../request-body.ts';
import type { ApiRequest, Mode } from './server.ts';

export type Kind = 'otp' | 'link' | 'shorten' | 'group';

const OPERATIONS = {
  otp: 'otpSend',
  link: 'linkSend',
  shorten: 'linkShorten',
  group: 'groupSend',
} as const satisfies Record<Kind, Operation>;

/** Reads the form as the request it stands for. */
export function readRequest(): ApiRequest {
  const mode: Mode = chosen('mode') === 'live' ? 'live' : 'test';
  return { mode, ...requestOf(OPERATIONS[currentKind()], readFields()) };
}

function readFields(): RequestFields {
  return {
    phone: fieldValue('phone'),
    purpose: currentPurpose(),
    channel: chosen('channel'),
    link: fieldValue('link'),
    url: fieldValue('url'),
    text: textValue(),
    alias: fieldValue('alias'),
    expiresIn: fieldValue('expires-in'),
    group: fieldValue('group'),
    code: fieldValue('code'),
  };
}

export function currentKind(): Kind {
  const kind = chosen('kind');
  return kind === 'link' || kind === 'shorten' || kind === 'group' ? kind : 'otp';
}

export function currentPurpose(): string {
  return fieldValue('purpose');
}

/** Shows the fields of the chosen kind. A group has no SMS, so a chosen SMS gives way to `auto`. */
export function showFields(): void {
  const kind = currentKind();
  for (const element of document.querySelectorAll<HTMLElement>('[data-kinds]')) {
    element.hidden = !(element.dataset.kinds ?? '').split(' ').includes(kind);
  }
  channelChoice().hidden = kind === 'shorten';
  const smsLabel = channelChoice().querySelector<HTMLElement>('[data-value="sms"]');
  if (smsLabel) smsLabel.hidden = kind === 'group';
  if (kind === 'group' && chosen('channel') === 'sms') chooseAuto();
}

/** The menu writes the number, and the number moves the menu: whichever was changed leads. */
export function followScenario(changed: EventTarget | null): void {
  const select = find('scenario', HTMLSelectElement);
  if (changed === select && select.value !== '') chooseScenario(select.value);
  if (changed === find('phone', HTMLInputElement)) showScenario();
}

/** Puts a scenario's number into the form. */
export function chooseScenario(phone: string): void {
  find('phone', HTMLInputElement).value = phone;
  showScenario();
}

/** Keeps the menu and the buttons in step with the number, however it got there. */
export function showScenario(): void {
  const select = find('scenario', HTMLSelectElement);
  const digits = `+${fieldValue('phone').replace(/\D/g, '')}`;
  select.value = digits;
  if (select.selectedIndex === -1) select.value = '';
  for (const button of scenarioButtons()) {
    button.setAttribute('aria-pressed', String(button.dataset.scenario === digits));
  }
}

/** Scenarios work with a test key alone, so the controls say so. */
export function showMode(mode: Mode): void {
  const hint = find('mode-hint', HTMLElement);
  hint.textContent = (mode === 'test' ? hint.dataset.test : hint.dataset.live) ?? '';
  find('scenario', HTMLSelectElement).disabled = mode === 'live';
  for (const button of scenarioButtons()) button.disabled = mode === 'live';
}

export function scenarioButtons(): HTMLButtonElement[] {
  return [...document.querySelectorAll<HTMLButtonElement>('button[data-scenario]')];
}

function channelChoice(): HTMLElement {
  const choice = document.querySelector<HTMLElement>('[data-choice="channel"]');
  if (choice === null) throw new Error('no channel choice on the page');
  return choice;
}

function chooseAuto(): void {
  const auto = channelChoice().querySelector<HTMLInputElement>('input[value="auto"]');
  if (auto) auto.checked = true;
}

function fieldValue(id: string): string {
  return find(id, HTMLInputElement).value.trim();
}

function textValue(): string {
  return find('text', HTMLTextAreaElement).value.trim();
}
