import { PAPER_LANGS, type PaperLang } from '@zhiber/contract/cabinet/papers.ts';
import { FileText, Send } from 'lucide-react';
import { useTexts } from '../../texts/use-texts.tsx';
import { MenuButton, MenuLine, MenuOutsideLink } from '../../ui/overlays/menu.tsx';

/** What every paper offers: its PDF in each language, and sending it by e-mail. */
export function PaperMenuItems(props: {
  addressIn: (lang: PaperLang) => string;
  onSend: () => void;
}) {
  const texts = useTexts().papers;
  return (
    <>
      {PAPER_LANGS.map((lang) => (
        <MenuOutsideLink
          key={lang}
          download
          href={props.addressIn(lang)}
          icon={<FileText aria-hidden="true" size={16} />}
        >
          {texts.pdf[lang]}
        </MenuOutsideLink>
      ))}
      <MenuLine />
      <MenuButton icon={<Send aria-hidden="true" size={16} />} onClick={props.onSend}>
        {texts.send}
      </MenuButton>
    </>
  );
}
