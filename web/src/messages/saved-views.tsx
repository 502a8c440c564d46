import { useQuery } from '@tanstack/react-query';
import type { SavedView } from '@zhiber/contract/cabinet/messages.ts';
import { Bookmark, BookmarkPlus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { queryOf, useAction } from '../queries.ts';
import { useTexts } from '../texts/use-texts.tsx';
import { buttonClass } from '../ui/controls/button.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { TextField } from '../ui/controls/text-field.tsx';
import { ActDialog } from '../ui/overlays/act-dialog.tsx';
import { Menu, MenuButton, MenuLine, MenuTitle } from '../ui/overlays/menu.tsx';
import { MenuLink } from '../ui/overlays/menu-link.tsx';
import { useToasts } from '../ui/overlays/toasts.tsx';
import type { Filters } from './message-filters.tsx';
import { READY_VIEWS, toFilter, toSearch } from './view-search.ts';

const NAME_LENGTH_MAX = 60;

/** Saved filters: built-in ones and the person's own. */
export function SavedViews({ filters, isFiltered }: { filters: Filters; isFiltered: boolean }) {
  const texts = useTexts().messages;
  const { data } = useQuery(queryOf('views'));
  const [isNaming, setNaming] = useState(false);
  const views = data?.views ?? [];
  return (
    <>
      <Menu
        button={
          <>
            <Bookmark aria-hidden="true" size={16} />
            <span className="max-sm:sr-only">{texts.views}</span>
          </>
        }
        buttonClassName={buttonClass('plain')}
      >
        {READY_VIEWS.map(({ name, filter }) => (
          <MenuLink key={name} to="/app/messages" search={toSearch(filter)}>
            {texts.readyViews[name]}
          </MenuLink>
        ))}
        {views.length > 0 && <MenuTitle>{texts.ownViews}</MenuTitle>}
        {views.map((view) => (
          <ViewLine key={view.id} view={view} />
        ))}
        <MenuLine />
        <MenuButton
          icon={<BookmarkPlus aria-hidden="true" size={16} className="shrink-0" />}
          disabled={!isFiltered}
          className="disabled:text-muted"
          onClick={() => setNaming(true)}
        >
          {isFiltered ? texts.saveView : texts.nothingToSave}
        </MenuButton>
      </Menu>
      {isNaming && <NameDialog filters={filters} onClose={() => setNaming(false)} />}
    </>
  );
}

function ViewLine({ view }: { view: SavedView }) {
  const texts = useTexts().messages;
  const { showToast } = useToasts();
  const remove = useAction('deleteView', { invalidates: ['views'] });
  const restore = useAction('saveView', { invalidates: ['views'] });
  const undo = () => restore.mutate({ body: { name: view.name, filter: view.filter } });
  return (
    <div className="flex items-center">
      <MenuLink to="/app/messages" search={toSearch(view.filter)}>
        <span className="max-w-64 truncate">{view.name}</span>
      </MenuLink>
      <IconButton
        icon={Trash2}
        label={texts.deleteView(view.name)}
        disabled={remove.isPending}
        onClick={() =>
          remove.mutate(
            { params: { id: view.id } },
            { onSuccess: () => showToast(texts.viewDeleted(view.name), { undo }) },
          )
        }
      />
    </div>
  );
}

function NameDialog({ filters, onClose }: { filters: Filters; onClose: () => void }) {
  const texts = useTexts();
  const { showToast } = useToasts();
  const save = useAction('saveView', { invalidates: ['views'] });
  const submit = (name: string) => {
    const onSuccess = () => {
      onClose();
      showToast(texts.messages.viewSaved(name));
    };
    save.mutate({ body: { name, filter: toFilter(filters) } }, { onSuccess });
  };
  return (
    <ActDialog
      title={texts.messages.saveViewTitle}
      action={texts.ui.save}
      state={save}
      onSubmit={(values) => submit(values.text('name'))}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={texts.messages.viewName}
        hint={texts.messages.viewNameHint}
        maxLength={NAME_LENGTH_MAX}
        required
        autoFocus
      />
    </ActDialog>
  );
}
