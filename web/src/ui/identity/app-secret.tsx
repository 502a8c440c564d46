import { useTexts } from '../../texts/use-texts.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { CodeField } from '../controls/text-field.tsx';
import { Code } from '../display/code-block.tsx';
import { Qr } from '../display/qr.tsx';

/** The secret that an app makes codes from, to scan or to type. */
export function AppSecret({ secret, uri }: { secret: string; uri: string }) {
  const texts = useTexts().profile;
  // Groups of four are easier to read out and to type.
  const spaced = secret.match(/.{1,4}/g)?.join(' ') ?? secret;
  return (
    <div className="flex flex-wrap items-center gap-5">
      <Qr text={uri} label={texts.secondQr} size={168} />
      <div className="grid min-w-0 grow basis-52 gap-2 text-table">
        <p>{texts.scan}</p>
        <p className="text-sm text-muted">{texts.orType}</p>
        <p className="flex items-center gap-1">
          <Code>{spaced}</Code>
          <CopyButton isIcon text={secret} label={texts.copySecret} />
        </p>
      </div>
    </div>
  );
}

export function AppCodeField() {
  const { appCode } = useTexts().profile;
  return (
    <CodeField label={appCode} pattern="[0-9 ]{6,7}" className="max-w-40 text-xl tracking-widest" />
  );
}
