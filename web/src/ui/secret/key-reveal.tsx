import { Download, FlaskConical, ShieldAlert } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useSession } from '../../session.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { FormActions } from '../controls/form.tsx';
import { TextField } from '../controls/text-field.tsx';
import { CheckboxField } from '../controls/tick-field.tsx';
import { SnippetBlock } from '../display/snippet-block.tsx';
import { saveEnvFile } from './env-file.ts';

export type Secret = { id: number; key: string; mode: 'test' | 'live' };

/** The test number that delivers at once, without limits. */
const TEST_PHONE = '+77000000000';

/** Shows the new key once, with a code snippet and downloads. */
export function KeyReveal(props: {
  secret: Secret;
  isSaved: boolean;
  onSaved: (isSaved: boolean) => void;
  onTry: () => void;
  onDone: () => void;
}) {
  const { secret, isSaved, onSaved, onTry, onDone } = props;
  const texts = useTexts().keys.reveal;
  const { person, base_url: baseUrl } = useSession();
  const phone = secret.mode === 'test' ? TEST_PHONE : (person.phone ?? TEST_PHONE);
  return (
    <div className="grid gap-4">
      <KeyField secret={secret} onSaved={() => onSaved(true)} />
      <p className="flex gap-2 rounded-control bg-warn-tint px-3 py-2 text-table text-warn">
        <ShieldAlert aria-hidden="true" size={18} className="mt-0.5 shrink-0" />
        <span>{texts.serverOnly}</span>
      </p>
      <SnippetBlock baseUrl={baseUrl} path="/otp/send" body={{ phone }} keyText={secret.key} />
      <CheckboxField
        name="is_saved"
        label={texts.saved}
        checked={isSaved}
        onChange={(event) => onSaved(event.currentTarget.checked)}
      />
      <FormActions>
        <Button look="primary" disabled={!isSaved} onClick={onDone}>
          {texts.done}
        </Button>
        <Button icon={<FlaskConical aria-hidden="true" size={16} />} onClick={onTry}>
          {texts.tryNow}
        </Button>
      </FormActions>
    </div>
  );
}

function KeyField({ secret, onSaved }: { secret: Secret; onSaved: () => void }) {
  const texts = useTexts().keys.reveal;
  const { base_url: address } = useSession();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A dialog that opens with the key in it takes the focus first, and knows where to return it.
    queueMicrotask(() => {
      const input = field.current;
      if (input === null) return;
      input.focus();
      input.select();
      // Selecting scrolls to the end, but the beginning of a key identifies it.
      input.scrollLeft = 0;
    });
  }, []);
  const download = () => {
    saveEnvFile({ key: secret.key, address });
    onSaved();
  };
  return (
    <div className="grid gap-2">
      <TextField
        ref={field}
        name="key"
        label={texts.key}
        hint={texts.once}
        value={secret.key}
        readOnly
        isMono
        autoComplete="off"
        spellCheck={false}
        translate="no"
      />
      <div className="flex flex-wrap gap-2">
        <CopyButton look="primary" text={secret.key} label={texts.copy} onCopied={onSaved} />
        <Button icon={<Download aria-hidden="true" size={16} />} onClick={download}>
          {texts.download}
        </Button>
      </div>
    </div>
  );
}
