import { useNavigate } from '@tanstack/react-router';
import type { Broadcast } from '@zhiber/contract/cabinet/broadcasts.ts';
import { Download, FileSpreadsheet, FileText, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { addressOf } from '../../call.ts';
import { useAction } from '../../queries.ts';
import { useProgressTexts } from '../../texts/use-progress-texts.ts';
import { useFormat, useLang } from '../../texts/use-texts.tsx';
import { Button, buttonClass } from '../../ui/controls/button.tsx';
import { ActDialog } from '../../ui/overlays/act-dialog.tsx';
import { Menu, MenuOutsideLink, MenuTitle } from '../../ui/overlays/menu.tsx';

const ICONS = { xlsx: FileSpreadsheet, csv: FileText };
const WHICH = ['all', 'failed', 'clicked', 'not_clicked'] as const;

export function ExportMenu({ id }: { id: string }) {
  const texts = useProgressTexts();
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
      {(['xlsx', 'csv'] as const).map((format) => {
        const Icon = ICONS[format];
        return (
          <div key={format}>
            <MenuTitle>{texts.formats[format]}</MenuTitle>
            {WHICH.map((which) => (
              <MenuOutsideLink
                key={which}
                download
                href={addressOf('exportRecipients', {
                  params: { id },
                  query: { which, format, lang },
                })}
                icon={<Icon aria-hidden="true" size={16} />}
              >
                {texts.exports[which]}
              </MenuOutsideLink>
            ))}
          </div>
        );
      })}
    </Menu>
  );
}

/** Makes a new draft of those who failed, and opens it. */
export function RepeatFailed({ broadcast }: { broadcast: Broadcast }) {
  const texts = useProgressTexts();
  const format = useFormat();
  const navigate = useNavigate();
  const [isAsking, setAsking] = useState(false);
  const repeat = useAction('repeatFailed', { invalidates: ['broadcasts'] });
  const failed = broadcast.progress?.outcomes.failed ?? 0;
  if (failed === 0) return null;
  const create = () =>
    repeat.mutate(
      { params: { id: broadcast.id } },
      { onSuccess: ({ id }) => void navigate({ to: '/app/broadcasts/$id', params: { id } }) },
    );
  return (
    <>
      <Button icon={<RotateCcw aria-hidden="true" size={16} />} onClick={() => setAsking(true)}>
        {texts.repeat}
      </Button>
      {isAsking && (
        <ActDialog
          title={texts.repeatTitle(failed, format.number(failed))}
          action={texts.repeatAction}
          state={repeat}
          onSubmit={create}
          onClose={() => setAsking(false)}
        >
          <p>{texts.repeatNote}</p>
        </ActDialog>
      )}
    </>
  );
}
