import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { copyText } from '../snippets/copy.ts';
import { type RequestFields, requestOf } from '../snippets/request-body.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import type { ReceivedMessage } from '../ui/phone/received-message.ts';
import type { PlaygroundBackend, PlaygroundFacts, PlaygroundKey } from './backend.ts';
import { usePhone } from './phone/use-phone.ts';
import { useSwitches } from './phone/use-switches.ts';
import type { Draft } from './request/draft.ts';
import { FIRST_FIELDS } from './request/fields.ts';
import type { Runs } from './runs.ts';
import { useCalls } from './use-calls.ts';
import { useStory } from './use-story.ts';
import { useVerify, type VerifyTarget } from './use-verify.ts';

const STORY_POLL_MS = 2_000;
/** Nothing more is expected of these but a click or a code that is verified. */
const SETTLED: ReadonlySet<string> = new Set(['delivered', 'read', 'failed', 'unconfirmed']);

/** The state behind the columns, and what can be done. */
export function usePlayground(props: {
  backend: PlaygroundBackend;
  facts: PlaygroundFacts;
  apiKey: PlaygroundKey;
  draft: Draft;
  addRun: Runs['addRun'];
  withConsent: ((send: () => void) => void) | undefined;
}) {
  const { backend, facts, apiKey, draft, withConsent } = props;
  const { operation, fields } = draft;
  const texts = useTexts();
  const { showToast } = useToasts();
  const hasPhone = apiKey.mode === 'test' || facts.isSandbox;
  const calls = useCalls(backend, props.addRun);
  const verify = useVerify();
  const story = useStory(backend);
  const switches = useSwitches(backend);
  /** What the codes sent from here are for; the phone itself does not show it. */
  const purposes = useRef(new Map<string, string>());

  const targetOf = ({ message_id: messageId, phone, mode }: ReceivedMessage): VerifyTarget => ({
    messageId,
    apiKey: facts.keys.find((known) => known.mode === mode) ?? apiKey,
    phone,
    purpose: purposes.current.get(messageId) ?? fields.purpose,
  });
  const phone = usePhone(backend, hasPhone, {
    onNews: (message) => {
      if (message.kind !== 'letter') story.follow(message.message_id);
      if (message.code !== null) verify.aim(targetOf(message));
    },
    onReceipt: story.refresh,
    onReconnected: () => {
      story.refresh();
      switches.refresh();
    },
  });
  const isPolled = story.story !== undefined && !SETTLED.has(story.story.state);
  usePolling(isPolled && (!hasPhone || phone.isLost), story.refresh);

  const sendNow = async () => {
    const codeBefore = verify.code;
    const outcome = await calls.run(apiKey, operation, fields);
    if (outcome?.kind !== 'answered') return;
    const messageId = messageIdOf(outcome.body);
    if (messageId !== undefined) {
      purposes.current.set(messageId, fields.purpose);
      story.follow(messageId);
    } else if (outcome.status >= 400) {
      story.refuse();
    }
    if (operation !== 'otpSend' || outcome.status >= 400) return;
    const { phone: number, purpose } = fields;
    verify.aim({ messageId, apiKey, phone: number, purpose }, codeBefore);
  };
  const check = async () => {
    const { target, code } = verify;
    if (target === undefined) return verify.conclude('nothingSent');
    const outcome = await calls.run(target.apiKey, 'otpVerify', verifyFields(target, code));
    if (outcome === undefined) return;
    verify.conclude(outcome);
    // A verified code is a step of the story too, and no event of the phone tells of it.
    story.refresh();
  };
  const takeCode = async (message: ReceivedMessage) => {
    if (message.code === null) return;
    verify.fill(targetOf(message), message.code);
    const isCopied = await copyText(message.code);
    showToast(isCopied ? texts.playground.codeCopied(message.code) : texts.ui.notCopied);
  };

  // A link that is only shortened costs nothing and goes to nobody.
  const needsConsent = apiKey.mode === 'live' && operation !== 'linkShorten';
  return {
    hasPhone,
    verify,
    story,
    phone,
    switches,
    calls,
    send: () => {
      if (needsConsent && withConsent !== undefined) withConsent(() => void sendNow());
      else void sendNow();
    },
    check: () => void check(),
    takeCode: (message: ReceivedMessage) => void takeCode(message),
  };
}

/** The request that is shown as code: of the form, or of the verification once its field has the focus. */
export function useShownCode(
  { draft, apiKey }: { draft: Draft; apiKey: PlaygroundKey },
  { target, code }: ReturnType<typeof useVerify>,
) {
  const [shown, show] = useState<'form' | 'verify'>('form');
  const isForm = shown === 'form' || target === undefined;
  const snippet = isForm
    ? { request: requestOf(draft.operation, draft.fields), keyText: apiKey.text }
    : {
        request: requestOf('otpVerify', verifyFields(target, code)),
        keyText: target.apiKey.text,
      };
  return { snippet, show };
}

function usePolling(isOn: boolean, work: () => void): void {
  const onTick = useEffectEvent(work);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => onTick(), STORY_POLL_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}

function verifyFields({ phone, purpose }: VerifyTarget, code: string): RequestFields {
  return { ...FIRST_FIELDS, phone, purpose, code };
}

function messageIdOf(body: unknown): string | undefined {
  const { message_id: id } = (body ?? {}) as { message_id?: unknown };
  return typeof id === 'string' ? id : undefined;
}
