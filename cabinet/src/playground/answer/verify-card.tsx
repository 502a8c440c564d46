import { CODE_INPUT_LENGTH_MAX } from '@zhiber/contract/api/limits.ts';
import type { Ref } from 'react';
import { useFormat, useTexts } from '../../texts/use-texts.tsx';
import { classes } from '../../ui/classes.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextField } from '../../ui/controls/text-field.tsx';
import { Card } from '../../ui/display/card.tsx';

/** A code belongs to a key, a phone and a purpose; it is verified with the same. */
export type VerifyTarget = { phone: string; purpose: string };
/** What the API said of the last code that was tried. */
export type Verdict = { isRight: boolean; message: string };

/** One field: it can be pasted into and read back, and nothing is sent before the button. */
export function VerifyCard(props: {
  field: Ref<HTMLInputElement>;
  target: VerifyTarget | undefined;
  code: string;
  onCode: (code: string) => void;
  onFocus: () => void;
  onVerify: () => void;
  isBusy: boolean;
  verdict: Verdict | undefined;
}) {
  const { target, code, onCode, verdict } = props;
  const texts = useTexts().playground;
  const format = useFormat();
  return (
    <Card title={texts.verify}>
      <Form onSubmit={props.onVerify} className="gap-3">
        <TextField
          ref={props.field}
          name="code"
          label={texts.code}
          hint={
            target === undefined ? texts.verifyNothing : texts.verifyFor(format.phone(target.phone))
          }
          value={code}
          required
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={CODE_INPUT_LENGTH_MAX}
          spellCheck={false}
          isMono
          onFocus={props.onFocus}
          onChange={(event) => onCode(event.currentTarget.value)}
          beside={
            <Button
              type="submit"
              className="shrink-0"
              disabled={target === undefined}
              isBusy={props.isBusy}
            >
              {texts.verifyButton}
            </Button>
          }
        />
        <p
          role="status"
          lang="ru"
          className={classes(
            'empty:sr-only',
            verdict !== undefined && 'rounded-control px-3 py-2 text-table',
            verdict?.isRight === true && 'bg-ok-tint text-ok',
            verdict?.isRight === false && 'bg-warn-tint text-warn',
          )}
        >
          {verdict?.message}
        </p>
      </Form>
    </Card>
  );
}
