import { Download, FileSpreadsheet, FileText } from 'lucide-react';
import { addressOf } from '../call.ts';
import { useLang, useTexts } from '../texts/use-texts.tsx';
import { buttonClass } from '../ui/controls/button.tsx';
import { Menu, MenuOutsideLink, MenuTitle } from '../ui/overlays/menu.tsx';
import type { Filters } from './message-filters.tsx';

const ICONS = { csv: FileText, xlsx: FileSpreadsheet };

/** Exports all messages that match the filters, not only the loaded pages. */
export function ExportMenu({ filters }: { filters: Filters }) {
  const texts = useTexts().messages;
  const { lang } = useLang();
  return (
    <Menu
      button={
        <>
          <Download aria-hidden="true" size={16} />
          {texts.export}
        </>
      }
      buttonClassName={buttonClass('plain')}
    >
      <MenuTitle>{texts.exportHint}</MenuTitle>
      {(['csv', 'xlsx'] as const).map((format) => {
        const Icon = ICONS[format];
        return (
          <MenuOutsideLink
            key={format}
            download
            href={addressOf('exportMessages', { query: { ...filters, format, lang } })}
            icon={<Icon aria-hidden="true" size={16} />}
          >
            {texts.formats[format]}
          </MenuOutsideLink>
        );
      })}
    </Menu>
  );
}
