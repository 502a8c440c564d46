import { PAPER_LANGS } from '@zhiber/contract/cabinet/papers.ts';
import { Download, FileSpreadsheet, FileText, Send } from 'lucide-react';
import { addressOf } from '../../call.ts';
import { useLang, useTexts } from '../../texts/use-texts.tsx';
import { buttonClass } from '../../ui/controls/button.tsx';
import { Menu, MenuButton, MenuLine, MenuOutsideLink } from '../../ui/overlays/menu.tsx';
import { useMonthTitle } from './month-title.ts';
import type { PaperToSend } from './send-paper-dialog.tsx';

/** The act of a month that is over. */
export function ActMenu(props: { month: string; onSend: (paper: PaperToSend) => void }) {
  const { month, onSend } = props;
  const texts = useTexts().papers;
  const monthTitle = useMonthTitle();
  const { lang } = useLang();
  return (
    <Menu
      button={
        <>
          <Download aria-hidden="true" size={16} />
          {texts.act}
        </>
      }
      buttonClassName={buttonClass('plain')}
    >
      {PAPER_LANGS.map((paperLang) => (
        <MenuOutsideLink
          key={paperLang}
          download
          href={addressOf('actFile', { query: { month, format: 'pdf', lang: paperLang } })}
          icon={<FileText aria-hidden="true" size={16} />}
        >
          {texts.pdf[paperLang]}
        </MenuOutsideLink>
      ))}
      {(['xlsx', 'csv'] as const).map((fileFormat) => (
        <MenuOutsideLink
          key={fileFormat}
          download
          href={addressOf('actFile', {
            query: { month, format: fileFormat, lang: lang === 'kk' ? 'kk' : 'ru' },
          })}
          icon={<FileSpreadsheet aria-hidden="true" size={16} />}
        >
          {texts.actFormats[fileFormat]}
        </MenuOutsideLink>
      ))}
      <MenuLine />
      <MenuButton
        icon={<Send aria-hidden="true" size={16} />}
        onClick={() => onSend({ kind: 'act', id: month, title: texts.actTitle(monthTitle(month)) })}
      >
        {texts.send}
      </MenuButton>
    </Menu>
  );
}
