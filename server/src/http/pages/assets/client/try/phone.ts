import type { LiveTexts } from '../../../texts/try-texts-ru.ts';
import { cloneItem, find, isWebAddress, outsideLink, part } from '../dom.ts';
import { clockTime, fill, recipient } from '../format.ts';
import type { PhoneMessage } from './server.ts';

const CHANNEL_TITLES: Record<string, string> = {
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  sms: 'SMS',
  email: 'E-mail',
};

/** As many as the server replays, so that a reload shows the same phone. */
const BUBBLES_MAX = 50;

export type PhoneActions = {
  onCode(message: PhoneMessage): void;
  onStory(messageId: string): void;
};

export type Phone = {
  /** Returns false for a message that is on the phone already. */
  add(message: PhoneMessage, isReplayed: boolean): boolean;
  clear(): void;
  /** The newest message that holds a code. */
  lastCode(): PhoneMessage | undefined;
};

export function channelTitle(channel: string): string {
  return CHANNEL_TITLES[channel] ?? channel;
}

export function createPhone(texts: LiveTexts, actions: PhoneActions): Phone {
  const list = find('message-list', HTMLOListElement);
  // A fallback delivers the same message again by another channel: two bubbles, as on a real phone.
  const shown = new Map<string, PhoneMessage>();
  const keyOf = (message: PhoneMessage) => `${message.message_id} ${message.channel}`;

  function forgetOldest(): void {
    const [oldest] = shown.keys();
    if (shown.size <= BUBBLES_MAX || oldest === undefined) return;
    shown.delete(oldest);
    list.firstElementChild?.remove();
  }

  startClock();
  wireShowAll();
  return {
    add(message, isReplayed) {
      if (shown.has(keyOf(message))) return false;
      shown.set(keyOf(message), message);
      list.append(bubble(texts, message, actions));
      forgetOldest();
      showCount(shown.size);
      scrollToLast();
      if (!isReplayed) buzz();
      return true;
    },
    clear() {
      shown.clear();
      list.replaceChildren();
      showCount(0);
    },
    lastCode: () => [...shown.values()].findLast((message) => message.code !== null),
  };
}

function bubble(texts: LiveTexts, message: PhoneMessage, actions: PhoneActions): HTMLLIElement {
  const item = cloneItem('bubble-template');
  for (const icon of item.querySelectorAll<HTMLElement>('[data-icon]')) {
    if (icon.dataset.icon !== message.channel) icon.remove();
  }
  part(item, 'channel', HTMLElement).textContent = channelTitle(message.channel);
  const mode = part(item, 'mode', HTMLElement);
  mode.textContent = texts.modes[message.mode] ?? message.mode;
  const time = part(item, 'time', HTMLTimeElement);
  time.dateTime = message.at;
  time.textContent = clockTime(new Date(message.at));
  part(item, 'to', HTMLElement).textContent =
    message.kind === 'group'
      ? message.phone
      : fill(texts.to, { recipient: recipient(message.phone) });
  part(item, 'text', HTMLElement).append(...textNodes(message));
  const copy = part(item, 'copy', HTMLButtonElement);
  if (message.code === null) copy.remove();
  else part(item, 'code', HTMLElement).textContent = message.code;
  copy.addEventListener('click', () => actions.onCode(message));
  const story = part(item, 'story', HTMLButtonElement);
  story.addEventListener('click', () => actions.onStory(message.message_id));
  // No key sends a letter: it has no mode and no story.
  if (message.kind === 'letter') for (const absent of [mode, story]) absent.remove();
  return item;
}

/** The text of the message with its short link as a link. */
function textNodes({ text, link }: PhoneMessage): (Node | string)[] {
  if (!isWebAddress(link)) return [text];
  const at = text.indexOf(link);
  if (at === -1) return [text, ' ', outsideLink(link, link)];
  return [text.slice(0, at), outsideLink(link, link), text.slice(at + link.length)];
}

function showCount(count: number): void {
  find('no-messages', HTMLElement).hidden = count > 0;
  find('message-list', HTMLOListElement).hidden = count === 0;
  find('show-all', HTMLButtonElement).hidden = count < 2;
}

function scrollToLast(): void {
  // The screen is laid out from its foot, so its foot is zero.
  find('messages', HTMLElement).scrollTop = 0;
}

function buzz(): void {
  const device = find('device', HTMLElement);
  device.classList.remove('buzzing');
  // Reading a size makes the browser notice the removal, so that the next buzz starts anew.
  void device.offsetWidth;
  device.classList.add('buzzing');
}

/** On a narrow screen the phone shows its last message until it is unfolded. */
function wireShowAll(): void {
  const button = find('show-all', HTMLButtonElement);
  button.addEventListener('click', () => {
    const isExpanded = button.getAttribute('aria-expanded') === 'true';
    button.setAttribute('aria-expanded', String(!isExpanded));
    find('device', HTMLElement).classList.toggle('unfolded', !isExpanded);
    scrollToLast();
  });
}

function startClock(): void {
  const clock = find('clock', HTMLTimeElement);
  const tick = () => {
    clock.textContent = clockTime(new Date());
  };
  tick();
  setInterval(tick, 10_000);
}
