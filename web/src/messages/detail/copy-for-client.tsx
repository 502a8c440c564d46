import type { MessageDetail } from '@zhiber/contract/cabinet/messages.ts';
import { LANG_TITLES, LANGS, type Lang } from '@zhiber/contract/languages.ts';
import { useId, useState } from 'react';
import { clientSummary as en } from '../../texts/en/client-summary.ts';
import { clientSummary as kk } from '../../texts/kk/client-summary.ts';
import { clientSummary as ru } from '../../texts/ru/client-summary.ts';
import { useLang, useTexts } from '../../texts/use-texts.tsx';
import { CopyButton } from '../../ui/controls/copy-button.tsx';
import { type SummaryWords, summaryOf } from './client-summary.ts';

const WORDS: Record<Lang, SummaryWords> = { ru, kk, en };

/** The story in plain words, in the language of the client, which may be another than the reader's. */
export function CopyForClient({ message }: { message: MessageDetail }) {
  const texts = useTexts().messages.forClient;
  const [lang, setLang] = useState<Lang>(useLang().lang);
  const name = useId();
  const summary = summaryOf(message, WORDS[lang]);
  return (
    <section className="grid gap-3">
      <h3 className="text-base">{texts.title}</h3>
      <p lang={lang} data-summary="" className="rounded-card bg-sunken px-4 py-3 text-table">
        {summary}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <CopyButton text={summary} label={texts.copy} />
        <fieldset className="flex flex-wrap gap-x-4 text-table">
          <legend className="sr-only">{texts.language}</legend>
          {LANGS.map((one) => (
            <label key={one} className="target inline-flex items-center gap-2">
              <input
                type="radio"
                name={name}
                checked={one === lang}
                onChange={() => setLang(one)}
              />
              {LANG_TITLES[one]}
            </label>
          ))}
        </fieldset>
      </div>
    </section>
  );
}
