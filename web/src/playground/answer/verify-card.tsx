import { CODE_INPUT_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import type { Ref } from 'react';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Card } from '../../ui/display/card.tsx';
import type { useVerify } from '../use-verify.ts';

/** One field: it can be pasted into and read back, and nothing is sent before the button. */
export function VerifyCard(props: {
  field: Ref<HTMLInputElement>;
  verify: ReturnType<typeof useVerify>;
  isBusy: boolean;
  onFocus: () => void;
  onVerify: () => void;
}) {
  const { target, code, type, outcome } = props.verify;
  const texts = useTexts().playground;
  const format = useFormat();
  return (
    <Card title={texts.verify} className="@container scroll-my-3">
      <Form onSubmit={props.onVerify} className="gap-3">
        <TextField
          ref={props.field}
          name="code"
          label={texts.code}
          hint={
            target === undefined ? texts.verifyNothing : texts.verifyFor(format.phone(target.phone))
          }
          value={code}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={CODE_INPUT_LENGTH_MAX}
          spellCheck={false}
          aria-keyshortcuts="v"
          className="text-lg tracking-[0.12em]"
          onFocus={props.onFocus}
          onChange={(event) => type(event.currentTarget.value)}
          beside={
            <Button type="submit" className="shrink-0" aria-disabled={props.isBusy}>
              {texts.verifyButton}
            </Button>
          }
        />
        <Verdict outcome={outcome} />
      </Form>
    </Card>
  );
}

function Verdict({ outcome }: { outcome: ReturnType<typeof useVerify>['outcome'] }) {
  const texts = useTexts().playground;
  const isAnswered = typeof outcome === 'object' && outcome.kind === 'answered';
  const isRight = isAnswered && outcome.status < 400;
  const say = () => {
    if (outcome === undefined) return undefined;
    if (outcome === 'nothingSent') return texts.verifyNothing;
    if (!isAnswered) return texts.serverAway;
    return String((outcome.body as { message?: unknown })?.message ?? '');
  };
  return (
    <p
      role="status"
      // The API speaks Russian, whatever the language of the page.
      lang={isAnswered ? 'ru' : undefined}
      className={classes(
        'empty:sr-only',
        outcome !== undefined && 'rounded-control px-3 py-2 text-table',
        outcome !== undefined && (isRight ? 'bg-ok-tint text-ok' : 'bg-warn-tint text-warn'),
      )}
    >
      {say()}
    </p>
  );
}
