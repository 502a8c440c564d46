import type { LiveTexts } from '../../../texts/try-texts-ru.ts';
import { copyText } from '../copy.ts';
import { find } from '../dom.ts';
import { fill, tokens } from '../format.ts';
import { toast } from '../toast.ts';
import { createAnswerPanel } from './answer.ts';
import { createCodeBlock } from './code-block.ts';
import { listen } from './events.ts';
import { wireInterference } from './interference.ts';
import { createPhone } from './phone.ts';
import { priceText } from './price.ts';
import * as form from './request-form.ts';
import {
  type ApiRequest,
  callApi,
  clearMessages,
  loadSession,
  type Outcome,
  type PhoneMessage,
  type Session,
} from './server.ts';
import { wireShortcuts } from './shortcuts.ts';
import { createStoryPanel } from './story.ts';
import { createVerifyPanel, type VerifyTarget } from './verify.ts';

/** While the server is starting, the page waits for its keys. */
const SESSION_RETRY_MS = 2_000;
/** The narrow layout folds the code away, so that the form follows the phone. */
const NARROW = '(max-width: 47.5rem)';

const texts = JSON.parse(find('try', HTMLElement).dataset.texts ?? '{}') as LiveTexts;
const answer = createAnswerPanel(texts);
const story = createStoryPanel(texts);
const verify = createVerifyPanel(texts);
const phone = createPhone(texts, {
  onCode: (message) => void useCode(message),
  onStory: (messageId) => {
    story.follow(messageId);
    find('story-title', HTMLElement).scrollIntoView({ block: 'nearest' });
  },
});
/** What the codes sent from this page are for; the phone itself does not show it. */
const purposes = new Map<string, string>();
let isBusy = false;
/** The message whose code is about to be verified. */
let aimedAt: string | undefined;
/** What to do when the stream is back after a break; set once there is a session to renew. */
let onReconnected = (): Promise<void> => Promise.resolve();

void start();

async function start(): Promise<void> {
  find('code-panel', HTMLDetailsElement).open = !matchMedia(NARROW).matches;
  form.showFields();
  form.showScenario();
  wireShortcuts({
    send: () => find('request', HTMLFormElement).requestSubmit(),
    copyCode: copyLastCode,
    focusVerify: verify.focus,
  });
  listenToPhone();
  const session = await sessionOrRetry();
  showCompany(session);
  wireRequest(session);
  wireVerify(session);
  const interference = wireInterference(session.switches, () => toast(texts.switchFailed));
  onReconnected = async () => {
    if (!(await renew(session))) return;
    showBalance(session.company.balance);
    interference.show(session.switches);
  };
}

/** Takes over what a restarted server says of itself; false when it does not answer. */
async function renew(session: Session): Promise<boolean> {
  try {
    Object.assign(session, await loadSession());
    return true;
  } catch {
    return false;
  }
}

async function sessionOrRetry(): Promise<Session> {
  for (;;) {
    try {
      return await loadSession();
    } catch {
      toast(texts.sessionFailed);
      await new Promise((resolve) => setTimeout(resolve, SESSION_RETRY_MS));
    }
  }
}

function listenToPhone(): void {
  const connection = find('connection', HTMLElement);
  let wasLost = false;
  listen({
    onMessage(message, isReplayed) {
      const isNew = phone.add(message, isReplayed);
      if (!isNew || isReplayed) return;
      story.follow(message.message_id);
      if (message.code !== null) aimAt(message.message_id, targetOf(message));
    },
    onStatus: story.refresh,
    onBalance: showBalance,
    onConnection(isConnected) {
      connection.hidden = isConnected;
      connection.textContent = isConnected ? '' : texts.reconnecting;
      if (isConnected) story.refreshCurrent();
      if (isConnected && wasLost) void onReconnected();
      wasLost = !isConnected;
    },
    // Nobody wants fifty old messages read out; the log speaks again once they are in.
    onReplayed: () => find('messages', HTMLElement).removeAttribute('aria-busy'),
  });
  find('clear', HTMLButtonElement).addEventListener('click', () => {
    clearMessages().then(phone.clear, () => toast(texts.clearFailed));
  });
}

function wireRequest(session: Session): void {
  const code = createCodeBlock(session);
  const show = () => {
    form.showFields();
    const request = form.readRequest();
    form.showMode(request.mode);
    code.show(request);
    find('price', HTMLOutputElement).textContent = priceText(texts, session.prices);
    showSendLabel();
  };
  const element = find('request', HTMLFormElement);
  element.addEventListener('input', (event) => {
    form.followScenario(event.target);
    show();
  });
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    show();
    void send(session, form.readRequest());
  });
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) element.requestSubmit();
  });
  for (const button of form.scenarioButtons()) {
    button.addEventListener('click', () => {
      form.chooseScenario(button.dataset.scenario ?? '');
      show();
    });
  }
  find('copy-request', HTMLButtonElement).addEventListener('click', () => {
    void copyText(code.text()).then((isCopied) =>
      toast(isCopied ? texts.copied : texts.copyFailed),
    );
  });
  find('verify', HTMLFormElement).addEventListener('submit', () => {
    const request = verify.request();
    if (request !== undefined) code.show(request);
  });
  show();
}

async function send(session: Session, request: ApiRequest): Promise<void> {
  const purpose = form.currentPurpose();
  const earlierCode = verify.code();
  const outcome = await exchange(session, request);
  if (outcome === undefined) return;
  if (matchMedia(NARROW).matches) revealResult(request, outcome);
  if (outcome.kind !== 'answered') return;
  const messageId = textField(outcome.body, 'message_id');
  if (messageId !== undefined) {
    purposes.set(messageId, purpose);
    story.follow(messageId);
  }
  if (request.path === '/otp/send' && outcome.status < 400) {
    const target = { phone: String(request.body.phone), mode: request.mode, purpose };
    aimAt(messageId, target, verify.code() === earlierCode ? '' : verify.code());
  }
}

/**
 * Makes ready to verify a new code. The phone and the answer both tell of it, in either order:
 * whichever comes second must not wipe what has been typed since.
 */
function aimAt(messageId: string | undefined, target: VerifyTarget, code = ''): void {
  if (messageId === aimedAt) return;
  aimedAt = messageId;
  verify.aim(target, code);
}

/** On a narrow screen the phone and the answer lie out of sight of the button. */
function revealResult(request: ApiRequest, outcome: Outcome): void {
  const isOnPhone =
    outcome.kind === 'answered' && outcome.status < 400 && request.path !== '/links/shorten';
  const id = isOnPhone ? 'device' : 'answer-panel';
  find(id, HTMLElement).scrollIntoView({ block: 'start' });
}

function wireVerify(session: Session): void {
  find('verify', HTMLFormElement).addEventListener('submit', async (event) => {
    event.preventDefault();
    const request = verify.request();
    if (request === undefined) return verify.showOutcome(undefined);
    const outcome = await exchange(session, request);
    if (outcome === undefined) return;
    verify.showOutcome(outcome);
    // A verified code is a step of the story too, and no event of the phone tells of it.
    story.refreshCurrent();
  });
}

/** One request at a time: a second press while one is under way does nothing. */
async function exchange(session: Session, request: ApiRequest): Promise<Outcome | undefined> {
  if (isBusy) return undefined;
  setBusy(true);
  answer.wait();
  let outcome = await callApi(session, request);
  // Each start of the server gives this page new keys: a refused one is the key of an earlier
  // start.
  if (outcome.kind === 'answered' && outcome.status === 401 && (await renew(session))) {
    outcome = await callApi(session, request);
  }
  answer.show(request.path, outcome);
  setBusy(false);
  return outcome;
}

function setBusy(busy: boolean): void {
  isBusy = busy;
  const button = find('send', HTMLButtonElement);
  button.setAttribute('aria-disabled', String(busy));
  showSendLabel();
}

function showSendLabel(): void {
  const button = find('send', HTMLButtonElement);
  const label = button.querySelector('span');
  if (label)
    label.textContent = isBusy ? texts.sending : (button.dataset[form.currentKind()] ?? '');
}

function showCompany(session: Session): void {
  find('company', HTMLElement).textContent = session.company.name;
  showBalance(session.company.balance);
  const options = session.groups.map((group) => new Option(group.name, group.name));
  find('groups', HTMLDataListElement).replaceChildren(...options);
  find('group', HTMLInputElement).value = session.groups[0]?.name ?? '';
}

function showBalance(balance: number): void {
  find('balance', HTMLElement).textContent = tokens(balance);
}

function copyLastCode(): void {
  const message = phone.lastCode();
  if (message === undefined) toast(texts.noCode);
  else void useCode(message);
}

/** A code that is pressed on the phone is copied and ready to be verified. */
async function useCode(message: PhoneMessage): Promise<void> {
  if (message.code === null) return;
  aimAt(message.message_id, targetOf(message));
  verify.fill(message.code);
  verify.reveal();
  const isCopied = await copyText(message.code);
  toast(isCopied ? fill(texts.codeCopied, { code: message.code }) : texts.copyFailed);
}

function targetOf({ message_id, phone: number, mode }: PhoneMessage): VerifyTarget {
  return { phone: number, mode, purpose: purposes.get(message_id) ?? form.currentPurpose() };
}

function textField(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value = (body as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}
