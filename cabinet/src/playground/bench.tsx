import type { PhoneMessage } from '@zhiber/contract/cabinet/playground.ts';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { copyText } from '../../../server/src/http/pages/assets/client/copy.ts';
import { requestOf } from '../../../server/src/http/pages/assets/client/request-body.ts';
import { useSession } from '../session.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { SnippetBlock } from '../ui/code/snippet-block.tsx';
import { useShortcut } from '../ui/overlays/shortcuts.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import { AnswerCard, type RunAnswer } from './answer/answer-card.tsx';
import { Story } from './answer/story.tsx';
import { VerifyCard } from './answer/verify-card.tsx';
import { History } from './history.tsx';
import { Phone } from './phone/phone.tsx';
import { usePhone } from './phone/use-phone.ts';
import { RequestCard, type RequestProps } from './request/request-card.tsx';
import { useCalls } from './use-calls.tsx';

/** A request on the left, a phone on the right, and what came of it between them. */
export function Bench(props: RequestProps & { keyChoice: ReactNode }) {
  const { row, operation, fields, onOperation, onSet } = props;
  const texts = useTexts().playground;
  const { is_sandbox: isSandbox } = useSession();
  const hasPhone = row.mode === 'test' || isSandbox;
  const phone = usePhone(row.id, hasPhone);
  const calls = useCalls(props);
  const field = useRef<HTMLInputElement>(null);
  const answer = useScrolledTo(calls.answer);
  /** The code follows the hand: it is of the form, or of the field for verifying. */
  const [shown, setShown] = useState<'form' | 'verify'>('form');
  const takeCode = (message: PhoneMessage) => {
    calls.aimAt(message);
    onSet({ code: message.code ?? '' });
    field.current?.focus();
  };
  useCopyShortcut(phone.messages);
  useShortcut('v', texts.shortcuts.verify, () => field.current?.focus());
  const request =
    shown === 'form' ? requestOf(operation, fields) : requestOf('otpVerify', calls.verifyFields);
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="grid min-w-0 gap-5">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: it only follows where the focus is. */}
        <div onFocus={() => setShown('form')}>
          <RequestCard {...props} onSend={calls.send} isBusy={calls.running === operation} />
        </div>
        <SnippetBlock {...request} />
        <div ref={answer}>
          <AnswerCard answer={calls.answer} error={calls.error} />
        </div>
        <VerifyCard
          field={field}
          target={calls.target}
          code={fields.code}
          onCode={(code) => onSet({ code })}
          onFocus={() => setShown('verify')}
          onVerify={calls.verify}
          isBusy={calls.running === 'otpVerify'}
          verdict={calls.verdict}
        />
        <Story messageId={calls.messageId} />
        <History
          onRepeat={({ operation: again, fields: typed }) => {
            if (again !== 'otpVerify') onOperation(again);
            onSet(typed);
          }}
        />
      </div>
      <div className="max-lg:order-first lg:sticky lg:top-20">
        {hasPhone ? (
          <Phone {...phone} keyId={row.id} onCode={takeCode} onStory={calls.follow} />
        ) : (
          <p className="rounded-card bg-sunken p-4 text-table text-muted">{texts.realPhone}</p>
        )}
      </div>
      {calls.dialog}
    </div>
  );
}

function useCopyShortcut(messages: readonly PhoneMessage[]): void {
  const texts = useTexts();
  const { say } = useToasts();
  const copy = async () => {
    const code = messages.findLast((message) => message.code !== null)?.code;
    if (code === undefined || code === null) return say(texts.playground.noCode);
    say((await copyText(code)) ? texts.ui.copied : texts.ui.notCopied);
  };
  useShortcut('c', texts.playground.shortcuts.copy, () => void copy());
}

/** The answer to a send comes into view; whoever verifies a code looks at that field already. */
function useScrolledTo(answer: RunAnswer | undefined): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer === undefined || answer.path === '/otp/verify') return;
    box.current?.scrollIntoView({ block: 'nearest' });
  }, [answer]);
  return box;
}
