import { CODE_INPUT_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../../session.ts';
import { requestOf } from '../../snippets/request-body.ts';
import { useOnboardingTexts } from '../../texts/use-onboarding-texts.ts';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { SnippetBlock } from '../../ui/display/snippet-block.tsx';
import { Phone } from '../../ui/phone/phone.tsx';
import type { Outcome, PlaygroundKey } from '../backend.ts';
import { FIRST_FIELDS } from '../request/fields.ts';
import { Awaited, Step } from './step.tsx';
import { useFirstCode } from './use-first-code.ts';

/** The request with the key in it, the verification, and the phone on which both are seen. */
export function FirstCode(props: {
  apiKey: PlaygroundKey;
  /** The ends of the key, for when its text is no longer known. */
  shown: string;
  newKey: ReactNode;
}) {
  const { apiKey } = props;
  const texts = useOnboardingTexts();
  const first = useFirstCode(apiKey);
  return (
    <div className="@container/playground">
      <div className="grid items-start gap-5 @3xl/playground:grid-cols-[minmax(0,1fr)_20rem]">
        <ol className="grid min-w-0 gap-4">
          <SendStep {...props} first={first} />
          <VerifyStep apiKey={apiKey} first={first} />
        </ol>
        <div className="@3xl/playground:sticky @3xl/playground:top-18">
          <Phone
            {...first.phone}
            codeWord={texts.checkThis}
            emptyHint={texts.phoneHint}
            onCode={(message) => message.code !== null && first.verify(message.code, message)}
          />
        </div>
      </div>
    </div>
  );
}

type First = ReturnType<typeof useFirstCode>;

function SendStep(props: {
  apiKey: PlaygroundKey;
  shown: string;
  newKey: ReactNode;
  first: First;
}) {
  const { apiKey, shown, newKey, first } = props;
  const texts = useOnboardingTexts();
  const format = useFormat();
  const { base_url: baseUrl } = useSession();
  const { received, running } = first;
  const isDone = received !== undefined;
  return (
    <Step number={1} title={texts.send} isDone={isDone}>
      {apiKey.text === undefined ? (
        <div className="flex flex-wrap items-center justify-between gap-3 text-table text-muted">
          <p className="min-w-0 wrap-anywhere">{texts.keyHidden(shown)}</p>
          {newKey}
        </div>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="text-table text-muted">{texts.keyOnce}</p>
          <CopyButton text={apiKey.text} label={texts.copyKey} />
        </div>
      )}
      <SnippetBlock
        {...requestOf('otpSend', { ...FIRST_FIELDS, channel: '' })}
        baseUrl={baseUrl}
        {...(apiKey.text !== undefined && { keyText: apiKey.text })}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          look={isDone ? 'plain' : 'primary'}
          icon={<Send aria-hidden="true" size={16} />}
          isBusy={running === 'otpSend'}
          onClick={first.send}
        >
          {isDone ? texts.sendAgain : texts.sendHere}
        </Button>
        <Awaited isDone={isDone}>
          {isDone ? texts.received(format.clockSeconds(received.at)) : texts.waiting}
        </Awaited>
      </div>
      <Refused first={first} path="/otp/send" />
    </Step>
  );
}

function VerifyStep({ apiKey, first }: { apiKey: PlaygroundKey; first: First }) {
  const texts = useOnboardingTexts();
  const { base_url: baseUrl } = useSession();
  const { received, code, isVerified, running } = first;
  return (
    <Step number={2} title={texts.verify} isDone={isVerified}>
      {received === undefined ? (
        <p className="text-table text-muted">{texts.verifyAfter}</p>
      ) : (
        <>
          <p className="text-table text-muted">{texts.verifyLead}</p>
          <Form onSubmit={() => first.verify(code)}>
            <TextField
              name="code"
              label={texts.code}
              value={code}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={CODE_INPUT_LENGTH_MAX}
              spellCheck={false}
              className="text-lg tracking-[0.12em]"
              onChange={(event) => first.setCode(event.currentTarget.value)}
              beside={
                <Button
                  type="submit"
                  className="shrink-0"
                  aria-disabled={running === 'otpVerify' || undefined}
                >
                  {texts.check}
                </Button>
              }
            />
          </Form>
          <SnippetBlock
            {...requestOf('otpVerify', {
              ...FIRST_FIELDS,
              phone: received.phone,
              code: received.code ?? '',
            })}
            baseUrl={baseUrl}
            {...(apiKey.text !== undefined && { keyText: apiKey.text })}
          />
          <Refused first={first} path="/otp/verify" />
          {isVerified && <Awaited isDone>{texts.verified}</Awaited>}
        </>
      )}
    </Step>
  );
}

/** Why the last press did not work. */
function Refused({ first: { ended }, path }: { first: First; path: string }) {
  const texts = useTexts().playground;
  if (ended?.path !== path || isFine(ended.outcome)) return null;
  const { outcome } = ended;
  const isAnswered = outcome.kind === 'answered';
  return (
    <p
      role="alert"
      // The API speaks Russian, whatever the language of the page.
      lang={isAnswered ? 'ru' : undefined}
      className="rounded-control bg-warn-tint px-3 py-2 text-table text-warn"
    >
      {isAnswered
        ? String((outcome.body as { message?: unknown } | null)?.message ?? '')
        : texts.serverAway}
    </p>
  );
}

function isFine(outcome: Outcome): boolean {
  return outcome.kind === 'answered' && outcome.status < 400;
}
