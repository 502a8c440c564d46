import { Download } from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { FormActions } from '../controls/form.tsx';
import { saveFile } from '../save-file.ts';

/** Each code replaces the second factor once. They cannot be shown again. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const texts = useTexts().profile;
  const lines = codes.join('\n');
  const save = () =>
    saveFile('zhiber-recovery-codes.txt', new Blob([`${lines}\n`], { type: 'text/plain' }));
  return (
    <div className="grid gap-4">
      <p className="text-table">{texts.recoveryLead}</p>
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-card bg-sunken p-4 font-mono text-table">
        {codes.map((code) => (
          <li key={code} translate="no">
            {code}
          </li>
        ))}
      </ul>
      <FormActions>
        <CopyButton look="primary" text={lines} label={texts.copyCodes} />
        <Button icon={<Download aria-hidden="true" size={16} />} onClick={save}>
          {texts.downloadCodes}
        </Button>
        <Button look="quiet" onClick={onDone}>
          {texts.codesKept}
        </Button>
      </FormActions>
    </div>
  );
}
