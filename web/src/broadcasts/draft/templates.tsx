import { useQuery } from '@tanstack/react-query';
import type { SavedTemplate } from '@zhiber/contract/cabinet/broadcast-templates.ts';
import { BookmarkPlus, NotebookText, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { queryOf, useAction } from '../../queries.ts';
import { useBroadcastTexts } from '../../texts/use-broadcast-texts.ts';
import { useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { EmptyState } from '../../ui/display/empty-state.tsx';
import { Failure } from '../../ui/display/error-card.tsx';
import { Refusal } from '../../ui/display/refusal.tsx';
import { SkeletonCard } from '../../ui/display/skeleton.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useToasts } from '../../ui/overlays/toasts.tsx';
import { NameDialog } from '../name-dialog.tsx';

type Content = { text: string; url: string | null };

/** Texts that are used again: taking one, and keeping this one. */
export function TemplateButtons(props: Content & { onTake: (template: Content) => void }) {
  const texts = useBroadcastTexts();
  const [open, setOpen] = useState<'take' | 'keep'>();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button
        icon={<NotebookText aria-hidden="true" size={16} />}
        onClick={() => setOpen('take')}
        aria-haspopup="dialog"
      >
        {texts.templates}
      </Button>
      {props.text.trim() !== '' && (
        <Button
          icon={<BookmarkPlus aria-hidden="true" size={16} />}
          onClick={() => setOpen('keep')}
          aria-haspopup="dialog"
        >
          {texts.keepTemplate}
        </Button>
      )}
      {open === 'take' && (
        <TakeDialog
          onClose={close}
          onTake={(template) => {
            props.onTake(template);
            close();
          }}
        />
      )}
      {open === 'keep' && <KeepDialog text={props.text} url={props.url} onClose={close} />}
    </>
  );
}

function TakeDialog(props: { onTake: (template: Content) => void; onClose: () => void }) {
  const texts = useBroadcastTexts();
  const { data, error, refetch } = useQuery(queryOf('broadcastTemplates'));
  return (
    <Dialog title={texts.templates} onClose={props.onClose}>
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {error === null && data === undefined && <SkeletonCard />}
      {data?.templates.length === 0 && (
        <EmptyState kind="first-use" title={texts.noTemplates}>
          {texts.noTemplatesNote}
        </EmptyState>
      )}
      <ul className="grid divide-y divide-hairline">
        {data?.templates.map((template) => (
          <TemplateLine key={template.id} template={template} onTake={props.onTake} />
        ))}
      </ul>
    </Dialog>
  );
}

function TemplateLine(props: { template: SavedTemplate; onTake: (template: Content) => void }) {
  const { template, onTake } = props;
  const texts = useBroadcastTexts();
  const remove = useAction('deleteTemplate', { invalidates: ['broadcastTemplates'] });
  return (
    <li className="flex flex-wrap items-center gap-2 py-3">
      <div className="min-w-0 grow basis-48 text-table">
        <p className="font-medium wrap-anywhere">{template.name}</p>
        <p className="line-clamp-2 wrap-anywhere text-muted">{template.text}</p>
      </div>
      <Button aria-label={texts.takeTemplateOf(template.name)} onClick={() => onTake(template)}>
        {texts.takeTemplate}
      </Button>
      <IconButton
        icon={Trash2}
        label={texts.deleteTemplateOf(template.name)}
        disabled={remove.isPending}
        onClick={() => remove.mutate({ params: { id: template.id } })}
      />
      <Refusal error={remove.error} />
    </li>
  );
}

function KeepDialog(props: Content & { onClose: () => void }) {
  const { text, url, onClose } = props;
  const texts = useBroadcastTexts();
  const { ui } = useTexts();
  const { showToast } = useToasts();
  const keep = useAction('saveTemplate', { invalidates: ['broadcastTemplates'] });
  const finish = () => {
    showToast(texts.templateKept);
    onClose();
  };
  return (
    <NameDialog
      title={texts.keepTemplate}
      action={ui.save}
      field={{ label: texts.templateName, hint: texts.templateNameHint }}
      state={keep}
      onName={(name) => keep.mutate({ body: { name, text, url } }, { onSuccess: finish })}
      onClose={onClose}
    />
  );
}
